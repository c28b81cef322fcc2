#!/bin/sh
# Puts the program into the menu of the user who runs this; uninstall.sh takes it out again.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
share=${XDG_DATA_HOME:-$HOME/.local/share}
mkdir -p "$HOME/.local/bin" "$share/applications" "$share/mime/packages" "$share/icons"
ln -sf "$here/jurydesk" "$HOME/.local/bin/jurydesk"
cp -R "$here/share/icons/." "$share/icons/"
cp "$here/share/mime/packages/jurydesk.xml" "$share/mime/packages/"
sed "s|^Exec=jurydesk|Exec=\"$here/jurydesk\"|" "$here/share/applications/jurydesk.desktop" \
    > "$share/applications/jurydesk.desktop"
update-mime-database "$share/mime" 2>/dev/null || true
update-desktop-database "$share/applications" 2>/dev/null || true
echo "Jurydesk is in the menu, and $HOME/.local/bin/jurydesk starts it."
