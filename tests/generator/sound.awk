# Is a generated .prv sound? Prints each fault; exit status 1 if there was one.
#   -v gaps=1   states need not tile time (OpenMP threads, burst mode)
#   -v calls=0  no call lines to compare messages with
# Independent of the generator and of the library: it knows the format alone.
BEGIN { FS = ":"; faults = 0; at = -1; if (calls == "") calls = 1 }

function fault(what) {
    if (++faults <= 10 || all)
        print FILENAME ":" NR ": " what ": " substr($0, 1, 120)
}

# The ids of a record that begins at field i: cpu, application, task, thread.
function who(i) { return $i ":" $(i + 1) ":" $(i + 2) ":" $(i + 3) }

function ordered(time) {
    if (time < at)
        fault("earlier than the line before (" at ")")
    at = time
}

NR == 1 {
    if ($0 !~ /^#Paraver \(/)
        fault("not a header")
    sub(/\r$/, "")
    duration = $3 + 0
    n = split($0, part, ",")
    promised = part[n]
    next
}
/^c:/ { listed++; next }

{ sub(/\r$/, "") }

$1 == 1 {
    w = who(2)
    ordered($6 + 0)
    if ($7 + 0 <= $6 + 0)
        fault("empty state")
    if (!gaps && $6 + 0 != until[w] + 0)
        fault("gap or overlap, state before ends at " until[w])
    if ($6 + 0 < until[w] + 0)
        fault("overlap, state before ends at " until[w])
    until[w] = $7
    if ($7 + 0 > largest)
        largest = $7 + 0
    states++
    next
}
$1 == 2 {
    w = who(2)
    ordered($6 + 0)
    if (NF < 8 || NF % 2 != 0)
        fault("pairs are not whole")
    for (i = 7; i < NF; i += 2)
        event(w, $6, $i + 0, $(i + 1) + 0)
    if ($6 + 0 > largest)
        largest = $6 + 0
    events++
    next
}
$1 == 3 {
    from = who(2)
    to = who(8)
    ordered($7 + 0)
    if ($6 + 0 > $7 + 0)
        fault("sent before it was begun")
    if ($12 + 0 > $13 + 0)
        fault("received before it was begun")
    if ($13 + 0 < $6 + 0)
        fault("received before it was sent")
    messages++
    message[messages] = from " " $6 " " $7 " " to " " $12 " " $13 " " NR
    next
}
{ fault("unknown record") }

function event(w, time, type, value) {
    if (type < 50000001 || type > 50000003)
        return
    if (value != 0) {
        if (open[w])
            fault("call inside a call")
        open[w] = value
        opened[w] = time
        call[w, time] = value
        if (type == 50000002)
            enter(w, time)
    } else {
        if (!open[w])
            fault("end without a call")
        ended[w, opened[w]] = time
        last[w, time] = open[w]
        if (type == 50000002)
            leave(w, time)
        open[w] = 0
    }
}

# The k-th collective of all tasks of an application is one: none leaves before all are in.
function enter(w, time, k) {
    split(w, id, ":")
    k = id[2] " " ++entered[w]
    kind[k] = kind[k] == "" ? open[w] : kind[k]
    if (kind[k] != open[w])
        fault("another collective than on the other tasks")
    members[k]++
    if (time + 0 > inside[k] + 0)
        inside[k] = time
}
function leave(w, time, k) {
    split(w, id, ":")
    k = id[2] " " entered[w]
    if (first[k] == "" || time + 0 < first[k] + 0)
        first[k] = time
}

function sending(c) { return c == 1 || c == 3 || c == 41 }
function receiving(c) { return c == 2 || c == 41 }
function completing(c) { return c == 2 || c == 5 || c == 6 || c == 41 }

function check_message(text, m) {
    split(text, m, " ")
    if (!sending(call[m[1], m[2]]))
        fault("message of line " m[7] " begins in no send call")
    if (call[m[1], m[2]] == 41 ? m[3] != m[2] : ended[m[1], m[2]] != m[3])
        fault("message of line " m[7] " is not sent when its call ends")
    # Logical receive: begin of MPI_Recv and MPI_Sendrecv, end of MPI_Irecv.
    if (!receiving(call[m[4], m[5]]) && last[m[4], m[5]] != 4)
        fault("message of line " m[7] " is taken by no receive call")
    if (!completing(last[m[4], m[6]]))
        fault("message of line " m[7] " ends with no receive or wait call")
}

END {
    if (duration != largest)
        fault("header says " duration ", largest time is " largest)
    if (promised != listed)
        fault("header promises " promised " communicators, there are " listed)
    for (w in open)
        if (open[w])
            fault("call open at the end on " w)
    for (k in inside) {
        split(k, id, " ")
        if (first[k] + 0 < inside[k] + 0)
            fault("collective " k " left before all were in")
        if (tasks[id[1]] != "" && members[k] != tasks[id[1]])
            fault("collective " k " without all members")
        tasks[id[1]] = members[k]
    }
    if (calls)
        for (i = 1; i <= messages; i++)
            check_message(message[i])
    print states + 0, events + 0, messages + 0
    exit faults > 0
}
