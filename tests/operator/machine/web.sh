password=$(sed -n 's/^.*password: //p' /tmp/said)
site=http://127.0.0.1:8080
browser() { curl --silent --show-error --cookie /tmp/jar --cookie-jar /tmp/jar "$@"; }
# Sends the form of page $1 with the action $2 that contains $3, with further fields.
submit() {
    local field fields=() path=$2
    while read -r field; do fields+=(--data-urlencode "$field"); done < <(
        browser "$site$1" | sed 's/<form/\n<form/g' | grep "action=\"$2\"" | grep -- "$3" | head -n 1 |
            grep -o '<input type="hidden"[^>]*>' | sed -E 's/.*name="([^"]*)" value="([^"]*)".*/\1=\2/'
    )
    shift 3
    for field in "$@"; do fields+=(--data-urlencode "$field"); done
    browser --location --header "Origin: $site" "${fields[@]}" "$site$path"
}
submit /signin /signin password user=olga "password=$password" > /tmp/page
grep -q olga /tmp/page || fail "olga is not signed in: $(cat /tmp/page)"
submit /reversi /begin opponent with=program level=1 > /tmp/page
submit /reversi/1 /reversi/1 'name="say" autocomplete' say=f5 > /tmp/page
says 'f5' cat /tmp/page
says 'board1 played' cat /tmp/page
[ "$(postboard_ board list --json | grep -c '"turn":"olga"')" = 1 ] || fail "$(postboard_ board list --json)"
[ -z "$(find $home ! -user postboard)" ] || fail "root has made files in the home: $(find $home ! -user postboard)"
echo 'the move was played and answered'
