#!/bin/sh
# A task for a household robot, sent with mosquitto_pub, is carried out by a chassis.
#
# With a gateway whose config has
#
#   [[robotkoop.serve]]
#   robot = "axbot-1"
#   id = "R_2"
#
#   sh household_goto.sh 127.0.0.1 1883 R_2 Kitchen
#
# household_goto.sh HOST PORT ID PLACE
set -eu
host=$1 port=$2 id=$3 place=$4
task=Task$$
statuses=$(mktemp)
trap 'kill "$listener"; rm -f "$statuses"' EXIT
mosquitto_sub -h "$host" -p "$port" -t /robots/status > "$statuses" &
listener=$!
sleep 1
mosquitto_pub -h "$host" -p "$port" -t /dialogue/task -m "{\"target_id\": \"$id\", \"source_id\": \"SI_1\", \
\"timestamp\": 1552481472, \"task_id\": \"$task\", \"priority\": 3, \"type\": \"goto\", \"parameter\": {\"to\": \"$place\"}}"
for _ in $(seq 100); do
    end=$(grep "\"$task\"" "$statuses" | grep -E '"success": ?(true|false)' || true)
    case $end in
    *true*)
        echo "$end"
        exit 0
        ;;
    *false*)
        echo "the robot gave $task up: $end" >&2
        exit 1
        ;;
    esac
    sleep 1
done
echo "no end of $task came within 100 s:" >&2
cat "$statuses" >&2
exit 1
