# The same window of the same run holds the same, in whatever format it is cut. OTF does not tell when
# a receive was posted: in D and D2 the sizes tell the messages apart.
needs otf2 || exit 77
. "$data/borders.sh"
messages() { grep -c '^3:' "$1.$2.prv"; }
calls() { grep -c ':50000002:[1-9]' "$1.$2.prv"; }
split() { [ "$2" = window ] && echo "$wanted" || said "$1" "$2" split_collectives; }
dropped() { [ "$2" = window ] && echo "$wanted" || said "$1" "$2" dropped_messages; }
# Root and time of each collective that tells one.
roots() { echo "roots $(sed -n 's/^2:[0-9]*:1:\([0-9]*\):1:\([0-9]*\):.*:50100003:1.*/\1:\2/p' "$1" | tr '\n' ' ')" | sed 's/ $//'; }
# What a line tells of the first task's call that is open at the left border, but for callers.
begins() { grep '^2:[01]:1:1:1:0:.*50000002:8' "$1" | grep -o ':501*0*[1-4]:[0-9]*\|:50000002:[0-9]*' | sort | tr -d '\n'; }
# All that was counted, of a counter and of what archives make of it.
counted_all() { grep '^2:' "$1.$2.prv" | grep -o ':42[0-9]*:[0-9]*' | awk -F: '{ n += $3 } END { print n + 0 }'; }
collectives() { grep -o ':50100004:1' "$1.$2.prv" | grep -c .; }
# How long it is, ns.
length() { sed -n '1s/.*:\([0-9]*\)_ns:.*/\1/p' "$1.$2.prv"; }
# Functions that begin at the left border, of lines with several pairs, too.
opens() { sed -n 's/^2:[01]:1:1:1:0:/:/p' "$1.$2.prv" | grep -o ':60000019:[1-9]' | grep -c .; }
# What was counted, all in all, of both counters.
counted() { grep '^2:' "$1.$2.prv" | grep -o ':4200[0-9]*:[0-9]*' | awk -F: '{ n += $3 } END { print n + 0 }'; }

# A. Ten broadcasts of four tasks, the root early: the window's borders split two of them.
{
    for k in 1 2 3 4 5 6 7 8 9 10; do
        call 1 ${k}100 ${k}200 50000002 7 :50100001:8:50100002:0:50100003:1:50100004:1
        for task in 2 3 4; do
            call $task ${k}500 ${k}600 50000002 7 :50100001:0:50100002:8:50100004:1
        done
    done
} | trace A 4 12000
cut_all A 2300 6300
tell A calls 16 calls
wanted=2
tell A split 2 split
# Nothing stands at the borders, nor at the end of the run, behind which there is nothing to be cut.
tell A length 4000 length
cut_all A 8300 11900
tell A 'length near the end' 3600 length
cut_all A 8300 20000
tell A 'length past the end' 3700 length

# A2. The same with another root each time: those that are split count where roots are told.
{
    for k in 1 2 3 4 5 6 7 8 9 10; do
        for task in 1 2 3 4; do
            if [ $((k % 4 + 1)) = $task ]; then
                call $task ${k}100 ${k}200 50000002 7 :50100001:8:50100002:0:50100003:1:50100004:1
            else
                call $task ${k}500 ${k}600 50000002 7 :50100001:0:50100002:8:50100004:1
            fi
        done
    done
} | trace A2 4 12000
convert_all A2 2300 6300 'roots 4:800 1:1800 2:2800' roots

# B. A receive that is posted before the window, of a message that is sent and received inside.
{
    call 1 2300 2350 50000001 1
    call 2 1900 2400 50000001 2
    echo 3:1:1:1:1:2300:2300:2:1:2:1:1900:2400:8:1
    echo 1:1:1:1:1:0:8000:1
    echo 1:2:1:2:1:0:8000:1
} | trace B 2 8000
cut_all B 2000 6000
tell B messages 1 messages

# C. Received exactly at the right border.
{
    call 1 2300 2350 50000001 1
    call 2 2400 6000 50000001 2
    echo 3:1:1:1:1:2300:2300:2:1:2:1:2400:6000:8:1
    echo 1:1:1:1:1:0:8000:1
    echo 1:2:1:2:1:0:8000:1
} | trace C 2 8000
cut_all C 2000 6000
tell C messages 1 messages

# The same where the call begins only there.
{
    call 1 2300 2350 50000001 1
    call 2 6000 6000 50000001 2
    echo 3:1:1:1:1:2300:2300:2:1:2:1:6000:6000:8:1
    echo 1:1:1:1:1:0:8000:1
    echo 1:2:1:2:1:0:8000:1
} | trace C2 2 8000
cut_all C2 2000 6000
tell C2 messages 0 messages

# D. Two receives of one channel, of which the one that is posted first completes last.
{
    call 1 1000 1050 50000001 3
    call 1 2000 2050 50000001 3
    call 2 500 550 50000001 4
    call 2 1600 1650 50000001 4
    call 2 2900 4000 50000001 6
    echo 3:1:1:1:1:1000:1000:2:1:2:1:500:4000:10:5
    echo 3:1:1:1:1:2000:2000:2:1:2:1:1600:3000:20:5
    echo 1:1:1:1:1:0:8000:1
    echo 1:2:1:2:1:0:8000:1
} | trace D 2 8000
cut_all D 1500 3500
tell D messages 1 messages
wanted=0
tell D dropped 0 dropped

# The same where the second one waits for its message.
{
    call 1 1000 1050 50000001 3
    call 1 2000 2050 50000001 3
    call 2 500 550 50000001 4
    call 2 1600 3000 50000001 2
    call 2 3600 4000 50000001 6
    echo 3:1:1:1:1:1000:1000:2:1:2:1:500:4000:10:5
    echo 3:1:1:1:1:2000:2000:2:1:2:1:1600:3000:20:5
    echo 1:1:1:1:1:0:8000:1
    echo 1:2:1:2:1:0:8000:1
} | trace D2 2 8000
cut_all D2 1500 3500
tell D2 messages 1 messages
tell D2 dropped 0 dropped

# E. main is open; inside it two functions have ended; the window is behind them.
{
    echo 2:1:1:1:1:100:60000019:1
    echo 2:1:1:1:1:1000:60000019:2
    echo 2:1:1:1:1:2000:60000019:0
    echo 2:1:1:1:1:2500:60000019:3
    echo 2:1:1:1:1:2800:60000019:0
    echo 2:1:1:1:1:9000:60000019:0
    echo 1:1:1:1:1:0:10000:1
} | trace E 1 10000
cut_all E 3000 8000
tell E open 1 opens

# F. Functions inside each other, all open at the left border.
for deep in 40 300; do
    {
        awk -v n="$deep" 'BEGIN {
            for (i = 1; i <= n; i++)
                printf "2:1:1:1:1:%d:60000019:%d\n2:1:1:1:1:%d:60000019:0\n", 1000 + i, i, 9000 - i
        }'
        echo 1:1:1:1:1:0:10000:1
    } | trace F 1 10000
    cut_all F 5000 6000
    tell F "open of $deep" "$deep" opens
done

# G. A collective whose call spans the window on one task, and lies inside on the other.
{
    call 1 1000 9000 50000002 8 :50100001:0:50100002:0:50100004:1
    call 2 3000 4000 50000002 8 :50100001:0:50100002:0:50100004:1
    echo 1:1:1:1:1:0:10000:1
    echo 1:2:1:2:1:0:10000:1
} | trace G 2 10000
cut_all G 2000 5000
wanted=0
tell G split 0 split
# The cut's call is told with its sizes and its communicator, where it begins again.
for suffix in prv otf2 otf; do
    echo "G begins in $suffix: $(sed -n 's/^2:[01]:1:1:1:0:50000002/MPI/p' "G.$suffix.prv")"
done
convert_all G 2000 5000 :50000002:8:50100001:0:50100002:0:50100004:1 begins

# G2. The same of a call that the other task has left before: it is told without them.
{
    call 1 1000 3000 50000002 8 :50100001:0:50100002:0:50100004:1:70000001:5:80000001:6
    call 2 1000 1500 50000002 8 :50100001:0:50100002:0:50100004:1
    echo 1:1:1:1:1:0:10000:1
    echo 1:2:1:2:1:0:10000:1
} | trace G2 2 10000
convert_all G2 2000 5000 :50000002:8 begins

# G3. Of a line that begins a function, too, and counts something, inside another function.
{
    echo 2:1:1:1:1:500:60000019:1
    echo 2:1:1:1:1:1000:60000019:2:50000002:8:50100001:0:50100002:0:50100004:1:42000050:7
    echo 2:1:1:1:1:8000:50000002:0
    echo 2:1:1:1:1:9000:60000019:0
    echo 2:1:1:1:1:9500:60000019:0
    call 2 3000 4000 50000002 8 :50100001:0:50100002:0:50100004:1
    echo 1:1:1:1:1:0:10000:1
    echo 1:2:1:2:1:0:10000:1
} | trace G3 2 10000
convert_all G3 2000 5000 :50000002:8:50100001:0:50100002:0:50100004:1 begins
opens_at_all() { sed -n 's/^2:[01]:1:1:1:0:/:/p' "$1" | grep -o ':60000019:[1-9]' | tr -d '\n'; }
convert_all G3 2000 5000 :60000019:1:60000019:2 opens_at_all

# H. What a counter's first reading counts began before the window, or may have: it is 0.
{
    echo 2:1:1:1:1:1000:42000050:5
    echo 2:1:1:1:1:3000:42000050:7:42000059:100
    echo 2:1:1:1:1:4000:42000050:11
    echo 2:1:1:1:1:4500:42000050:13:42000059:9
    echo 1:1:1:1:1:0:10000:1
} | trace H 1 10000
cut_all H 2000 5000
tell H counted 33 counted

# I. What stands at the trace's very end belongs to a window that reaches it, or goes on behind it.
{
    echo 2:1:1:1:1:1000:60000019:1
    echo 2:1:1:1:1:2000:42000050:5
    echo 2:1:1:1:1:5000:42000050:6
    echo 2:1:1:1:1:10000:60000019:0:42000050:7
    echo 1:1:1:1:1:0:10000:1
} | trace I 1 10000
for to in 10000 20000; do
    cut_all I 3000 $to
    tell I "counted to $to" 7 counted_all
done

# J. A line that begins two collectives: the first one took no time. All members called both.
{
    call 1 1000 1100 50000002 10 :50100001:8:50100002:8:50100004:1
    call 2 1000 1100 50000002 10 :50100001:8:50100002:8:50100004:1
    echo 2:1:1:1:1:3000:50000002:12:50100001:4:50100002:4:50100004:1:50000002:10:50100001:8:50100002:8:50100004:1
    echo 2:1:1:1:1:3500:50000002:0
    call 2 3000 3100 50000002 12 :50100001:4:50100002:4:50100004:1
    call 2 3200 3500 50000002 10 :50100001:8:50100002:8:50100004:1
    for k in 5 6; do
        call 1 ${k}000 ${k}100 50000002 10 :50100001:8:50100002:8:50100004:1
        call 2 ${k}000 ${k}100 50000002 10 :50100001:8:50100002:8:50100004:1
    done
    echo 1:1:1:1:1:0:10000:1
    echo 1:2:1:2:1:0:10000:1
} | trace J 2 10000
cut_all J 4000 5500
wanted=0
tell J split 0 split
tell J collectives 2 collectives
cut_all J 2000 3150
wanted=1
tell J 'split inside' 1 split
tell J 'collectives inside' 2 collectives
