#!/bin/sh
# A disk image of the application bundle that packaging/bundle/build.py makes on macOS.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
bundle=$here/dist/desk/Jurydesk.app
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
cp -R "$bundle" "$staging/"
ln -s /Applications "$staging/Applications"
# The line of the manifest:  "version": "1.2.3",
version=$(sed -n 's/^ "version": "\(.*\)",$/\1/p' "$here/dist/desk/jurydesk/manifest.json")
hdiutil create -volname Jurydesk -srcfolder "$staging" -ov -format UDZO "$here/dist/jurydesk-$version-desk-macos-$(uname -m).dmg"
