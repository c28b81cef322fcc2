; An installer for the folder that packaging/bundle/build.py makes on Windows (Inno Setup 6).
; The user's own files are not the installer's: removing the program leaves them.
; The version is given on the command line, as it is in dist\desk\jurydesk\manifest.json.
#ifndef Version
  #error Say /DVersion=NUMBER
#endif

[Setup]
AppId={{6E2B6C0B-6F2E-4B0B-9C3C-3D6C5D2A7F11}
AppName=Jurydesk
AppVersion={#Version}
DefaultDirName={autopf}\Jurydesk
DefaultGroupName=Jurydesk
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ChangesAssociations=yes
OutputDir=..\..\dist
OutputBaseFilename=jurydesk-{#Version}-desk-windows-x86_64-setup
Compression=lzma2
SolidCompression=yes
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
UninstallDisplayIcon={app}\jurydesk.exe
SetupIconFile=..\..\build\desk\parts\jurydesk.ico
; What Qt 6 needs.
MinVersion=10.0.17763

; A newer version leaves no library of the older one.
[InstallDelete]
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "..\..\dist\desk\jurydesk\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{group}\Jurydesk"; Filename: "{app}\jurydesk.exe"

[Registry]
Root: HKA; Subkey: "Software\Classes\.jurydesk"; ValueType: string; ValueData: "Jurydesk.Desk"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Jurydesk.Desk"; ValueType: string; ValueData: "Jurydesk desk"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Jurydesk.Desk\DefaultIcon"; ValueType: string; ValueData: "{app}\jurydesk.exe,0"
Root: HKA; Subkey: "Software\Classes\Jurydesk.Desk\shell\open\command"; ValueType: string; ValueData: """{app}\jurydesk.exe"" ""%1"""
Root: HKA; Subkey: "Software\Classes\.jurypacket"; ValueType: string; ValueData: "Jurydesk.Packet"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Jurydesk.Packet"; ValueType: string; ValueData: "Jurydesk rating packet"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Jurydesk.Packet\DefaultIcon"; ValueType: string; ValueData: "{app}\jurydesk.exe,0"
Root: HKA; Subkey: "Software\Classes\Jurydesk.Packet\shell\open\command"; ValueType: string; ValueData: """{app}\jurydesk.exe"" ""%1"""
