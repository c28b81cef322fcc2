#!/bin/sh
# Takes the program out of the user's menu. Desks and other files of the user stay; the README of
# the program names their places. The program's own folder can then be deleted.
set -eu
share=${XDG_DATA_HOME:-$HOME/.local/share}
rm -f "$HOME/.local/bin/jurydesk" "$share/applications/jurydesk.desktop" \
    "$share/mime/packages/jurydesk.xml"
find "$share/icons/hicolor" -name 'jurydesk.*' -type f -delete 2>/dev/null || true
update-mime-database "$share/mime" 2>/dev/null || true
update-desktop-database "$share/applications" 2>/dev/null || true
echo "Jurydesk is out of the menu."
