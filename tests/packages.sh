# packages.sh: packages of Debian for the scripts that set up what tests need, which source this.

# install_packages WHO PACKAGE...: as root on Debian or Ubuntu installs them, or where QUATINT_SUDO says
# what makes apt-get root. Elsewhere says in one line what WHO needs, and ends the script: a test that
# cannot run has not passed.
install_packages() {
    who=$1
    shift
    if { [ "$(id -u)" = 0 ] || [ -n "${QUATINT_SUDO:-}" ]; } && command -v apt-get >/dev/null 2>&1; then
        echo "installing: $*"
        ${QUATINT_SUDO:-} apt-get update -qq
        ${QUATINT_SUDO:-} env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "$@" >/dev/null
    else
        echo "$who these Debian packages (or what your system calls them): $*" >&2
        exit 1
    fi
}

# is_there WHAT: a file with its whole path, or a command. Not `-e` for a command: the root of the
# repository has a folder of the name `cmake`.
is_there() {
    case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
    esac
}

# install_missing WHO PACKAGE:WHAT...: installs each package whose WHAT, a command or a file, is not
# there. A PACKAGE without WHAT is installed if any other is.
install_missing() {
    who=$1
    shift
    missing=
    with=
    for need in "$@"; do
        package=${need%%:*}
        case $need in
        *:*) is_there "${need#*:}" || missing="$missing $package" ;;
        *) with="$with $package" ;;
        esac
    done
    # shellcheck disable=SC2086
    [ -z "$missing" ] || install_packages "$who" $missing $with
}
