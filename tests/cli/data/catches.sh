# until_catches PID SIGNAL: wait until that program would notice the signal (INT or TERM): on a busy machine
# it may take longer to begin than anybody would guess
until_catches() {
    case $2 in
    INT) digits=2367abef at='.$' ;;
    TERM) digits=4567cdef at='....$' ;;
    esac
    tries=0
    until sed -n "s/^SigCgt:.*\\($at\\)/\\1/p" "/proc/$1/status" 2>/dev/null | grep -q "^[$digits]" || [ $tries = 400 ]; do
        sleep 0.05
        tries=$((tries + 1))
    done
}
