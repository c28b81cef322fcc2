#!/bin/sh
# The trial of a package inside a bare Debian, which bare_debian.py enters: as root it installs and
# removes, as an ordinary user it opens and rates. Says how long each step took.
set -eu
kind=$1
libraries=$2
cd /tmp/trial
export DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8

say() { echo "$(cut -d' ' -f1 /proc/uptime) $*"; }
fail() { echo "FAILED: $*" >&2; exit 1; }

if [ "$(id -u)" = 0 ]; then
    # What apt, dpkg and the trial itself keep.
    left='^/(tmp|proc|sys|dev|run|home|var/(lib/(apt|dpkg)|cache|log)|etc/(ld.so.cache|.pwd.lock))(/|$)'
    files() { find / -xdev ! -type d | grep -Ev "$left" | LC_ALL=C sort; }
    say "tools of the trial"
    apt-get update -qq
    tools="xvfb xauth xdotool x11-utils xdg-utils libfile-mimeinfo-perl"
    tools="$tools desktop-file-utils shared-mime-info procps xz-utils openbox"
    apt-get install -qq -y --no-install-recommends $tools >/dev/null 2>&1 || fail "the tools"
    if [ "$kind" = archive ]; then
        # What a desktop system has; bootstrap.py names them in the same way.
        names=""
        for name in $libraries; do
            if apt-cache show "${name}t64" >/dev/null 2>&1; then name="${name}t64"; fi
            names="$names $name"
        done
        apt-get install -qq -y --no-install-recommends $names >/dev/null 2>&1 || fail "$names"
    fi
    useradd -m rater
    files >before
    say "installing"
    if [ "$kind" = deb ]; then
        apt-get install -qq -y --no-install-recommends ./*.deb >apt.log 2>&1 || fail "$(cat apt.log)"
    else
        mkdir -p /home/rater/programs
        tar -xf ./*.tar.* -C /home/rater/programs
        chown -R rater: /home/rater
        su rater -c "sh /home/rater/programs/jurydesk/install.sh" || fail "install.sh"
    fi
    say "installed: $(du -sm --apparent-size "$( [ "$kind" = deb ] && echo /usr/lib/jurydesk || echo /home/rater/programs)" | cut -f1) MiB"
    chmod 1777 /tmp
    mkdir -m 1777 -p /dev/shm /tmp/.X11-unix
    cp bare_debian.sh /tmp/as-user.sh
    su rater -c "sh /tmp/as-user.sh $kind -" || fail "the user's part"
    say "removing"
    if [ "$kind" = deb ]; then
        apt-get purge -qq -y jurydesk >/dev/null 2>&1
        apt-get autoremove -qq -y --purge >/dev/null 2>&1
    else
        su rater -c "sh /home/rater/programs/jurydesk/uninstall.sh"
        rm -r /home/rater/programs
    fi
    files >after
    diff before after || fail "the package leaves files"
    # Desks and settings of the user stay; nothing in a menu or a cache does.
    find /home/rater -ipath '*jurydesk*' ! -type d ! -path '*/.local/share/jurydesk/*' \
        ! -path '*/.config/jurydesk/*' ! -path '/home/rater/work/*' | grep . && fail "left at home"
    say "removed without a trace"
    exit 0
fi

# ---- As the user ----
export HOME=/home/rater XDG_RUNTIME_DIR=/tmp/runtime PATH="$HOME/.local/bin:$PATH" DISPLAY=:7
mkdir -p -m 700 "$XDG_RUNTIME_DIR" "$HOME/work"
cd "$HOME/work"
Xvfb :7 -screen 0 1280x800x24 -noreset >/tmp/xvfb.log 2>&1 &
sleep 1
openbox >/dev/null 2>&1 &  # gives the newest window the keys
say "$(jurydesk --version)"
jurydesk selftest --quiet || fail "selftest"
say "self-test"
jurydesk demo vist --text --quiet >board 2>&1 || fail "$(cat board)"
desk=$(find "$HOME/.local/share/jurydesk" -name 'vist.jurydesk')
say "$desk scored"

opens() { # a file and its type: by what a double click runs
    [ "$(xdg-mime query filetype "$1")" = "$2" ] || fail "the type is $(xdg-mime query filetype "$1")"
    [ "$(xdg-mime query default "$2")" = jurydesk.desktop ] || fail "nothing opens $2"
    say "double click on $1"
    xdg-open "$1" >opened 2>&1 &
    window=$(timeout 120 xdotool search --sync --onlyvisible --class jurydesk | head -1)
    [ -n "$window" ] || fail "no window: $(cat opened)"
    say "its window: $(xdotool getwindowname "$window")"
}
opens "$desk" application/x-jurydesk
sleep 5
xdotool key ctrl+q
for _ in $(seq 20); do
    pgrep -u rater -x jurydesk >/dev/null || break
    sleep 1
done
! pgrep -u rater -x jurydesk || fail "Ctrl+Q does not close the window"

jurydesk ratings plan --desk "$desk" --items 2 --raters 1 --ratings-per-entry 1 --seed 1 --quiet
jurydesk ratings packet --desk "$desk" --out packets --quiet
packet=$(ls packets/*.jurypacket)
opens "$packet" application/x-jurypacket
sleep 10
answers=""
for _ in $(seq 60); do
    xdotool key 4
    sleep 0.5
    xdotool key Return
    sleep 0.5
    answers=$(find "$HOME" -name '*.juryanswers')
    [ -z "$answers" ] || break
done
[ -n "$answers" ] || fail "no answers file: $(xdotool getwindowname "$window") $(cat opened)"
say "rated by keys: $answers"
pkill -u rater -x jurydesk || true
jurydesk ratings merge --desk "$desk" "$answers"
say "merged"
