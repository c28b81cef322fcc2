#!/bin/sh
# A disk image of the application bundle that packaging/bundle/build.py makes on macOS.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
bundle=$here/dist/desk/Jurydesk.app
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
cp -R "$bundle" "$staging/"
ln -s /Applications "$staging/Applications"
hdiutil create -volname Jurydesk -srcfolder "$staging" -ov -format UDZO "$here/dist/Jurydesk.dmg"
