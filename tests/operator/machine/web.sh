password=$(sed -n 's/^.*password: //p' /tmp/said)
browser() { curl --silent --show-error --cookie /tmp/jar --cookie-jar /tmp/jar "$@"; }
# Sends the first form of page $1 to the path $2 with further fields.
submit() {
    local page fields=()
    page=$(browser "http://127.0.0.1:8080$1")
    while read -r field; do fields+=(--data-urlencode "$field"); done < <(
        grep -o "<form[^>]*action=\"$2\".*" <<<"$page" | head -n 1 | sed 's/<\/form>.*//' |
            grep -o '<input type="hidden"[^>]*>' | sed -E 's/.*name="([^"]*)" value="([^"]*)".*/\1=\2/'
    )
    local path=$2
    shift 2
    for field in "$@"; do fields+=(--data-urlencode "$field"); done
    browser --location --header 'Origin: http://127.0.0.1:8080' "${fields[@]}" "http://127.0.0.1:8080$path"
}
submit /signin /signin user=olga "password=$password" > /tmp/page
grep -q olga /tmp/page || fail "olga is not signed in: $(cat /tmp/page)"
