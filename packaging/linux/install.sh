#!/bin/sh
# Puts the program into the menu of the user who runs this; uninstall.sh takes it out again.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
share=${XDG_DATA_HOME:-$HOME/.local/share}
mkdir -p "$HOME/.local/bin"
ln -sf "$here/jurydesk" "$HOME/.local/bin/jurydesk"
(cd "$here/share" && find . -type f) | while IFS= read -r file; do
    # Not cp -R: the program's folders may be read-only, and these must not become so.
    install -D -m 644 "$here/share/$file" "$share/$file"
done
# The program's place as a menu entry wants it: in quotation marks, with what is special marked.
# A plain place has none, since xdg-open without a desktop does not understand them.
place=$here/jurydesk
case $place in
    *[!A-Za-z0-9/._+-]*)
        place=\"$(printf '%s' "$place" | sed 's/[\\"`$]/\\\\&/g; s/%/%%/g')\" ;;
esac
menu=applications/jurydesk.desktop
while IFS= read -r line; do
    case $line in
        Exec=*) printf 'Exec=%s %%f\n' "$place" ;;
        *) printf '%s\n' "$line" ;;
    esac
done < "$here/share/$menu" > "$share/$menu"
update-mime-database "$share/mime" 2>/dev/null || true
update-desktop-database "$share/applications" 2>/dev/null || true
echo "Jurydesk is in the menu, and $HOME/.local/bin/jurydesk starts it."
