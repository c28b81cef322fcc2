#!/bin/sh
# Takes the program out of the user's menu, with what it has computed and can compute again. Desks,
# settings, models and examples stay; the README of the program names their places. The program's
# own folder can then be deleted.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
share=${XDG_DATA_HOME:-$HOME/.local/share}
rm -f "$HOME/.local/bin/jurydesk"
rm -rf "${XDG_CACHE_HOME:-$HOME/.cache}/jurydesk"
(cd "$here/share" && find . -type f) | while IFS= read -r file; do
    rm -f "$share/$file"
    (cd "$share" && rmdir -p --ignore-fail-on-non-empty "$(dirname "$file")" 2>/dev/null) || true
done
# What the desktop has made of the entries; without any entry of the user's it makes it anew.
if [ -d "$share/mime/packages" ]; then
    update-mime-database "$share/mime" 2>/dev/null || true
else
    rm -rf "$share/mime"
fi
if [ -n "$(find "$share/applications" -name '*.desktop' 2>/dev/null)" ]; then
    update-desktop-database "$share/applications" 2>/dev/null || true
else
    rm -f "$share/applications/mimeinfo.cache"
    rmdir "$share/applications" 2>/dev/null || true
fi
echo "Jurydesk is out of the menu. Your own files were left where they are."
