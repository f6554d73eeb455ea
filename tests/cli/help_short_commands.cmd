# Each with examples that the program takes as they are.
for command in structure filter info profile efficiency predict sample patterns comm find check verify index signal convert formats help; do
    prvcut $command -h
done
