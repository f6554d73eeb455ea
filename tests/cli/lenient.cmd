# Damaged records that --lenient skips are told: in the text, and in JSON.
. "$data/loop.sh"
sed -e '100s/.*/2:1:1:1:1:x/' -e '200s/.*/3:1:/' loop.prv >bad.prv
for command in waits efficiency comm profile patterns 'patterns --repeats' 'find --like iteration=3'; do
    echo "$command: $(prvcut $command --lenient bad.prv | grep skipped) $(
        prvcut $command --lenient --json bad.prv | grep -o '"skipped": [0-9]*')"
done
prvcut waits loop.prv | grep skipped || echo 'none of a sound one'
