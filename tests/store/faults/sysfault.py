#!/usr/bin/env python3
"""sysfault.py - kills a program, or fails its call, at each of its system calls, and checks the state left.

  sysfault.py --setup CMD --run PROGRAM... --check CMD [--stdin FILE] [--from TEXT]
              [--mode none|kill|EIO|ENOSPC|EDQUOT|EINTR|EMFILE] [--max N] [--jobs J] [--seeded] [-v]

The program runs once under strace, which counts its system calls. Then it runs again for each call, which is
replaced: in mode kill by SIGKILL, so that the call does not happen, otherwise by a failure with that error. Mode none
ends after the first run. After each run, the exit code of CHECK says whether the state left is correct.

In all commands, {w} is a fresh folder for the run. In CHECK, {rc} is the exit code of the program, -9 if it was
killed. bash runs SETUP and CHECK; the program is started without a shell, whose system calls would be counted, too.
With --from, calls before the first one that names TEXT are skipped, since until then the program is only being
loaded. With --max, N evenly spread points are tried. With --seeded, the program gets the same 32 random bytes as its
seed in every run; {seed} in CHECK is the option of strace that does this. {python} in CHECK is the Python that runs
this script. The output of CHECK for correct states is counted. strace uses ptrace and so covers statically linked
programs, unlike LD_PRELOAD. Exit codes: 0 all states are correct, 1 some are wrong, 2 the bench itself failed.
"""
import argparse, collections, concurrent.futures, os, re, shlex, shutil, subprocess, sys, tempfile

CALLS = (
    "openat,creat,write,pwrite64,writev,fsync,fdatasync,syncfs,sync_file_range,rename,renameat,"
    "renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,ftruncate,fallocate,flock,fcntl,close,"
    "chmod,fchmod,fchmodat,copy_file_range,sendfile,utimensat,symlink,symlinkat,read,pread64,readlink,"
    "getdents64,newfstatat,statx,fstat,lseek,pipe2,execve,clone,clone3,vfork,wait4,socket,connect,"
    "sendto,recvfrom,mmap,exit_group"
).split(",")
# The calls that can fail in practice. A `close` that fails closes all the same, but one that strace lets fail does not
# happen, and a lock would be held for ever.
FAILING = (
    "openat,creat,write,pwrite64,writev,fsync,fdatasync,syncfs,rename,renameat,renameat2,link,linkat,"
    "unlink,unlinkat,mkdir,mkdirat,ftruncate,fallocate,flock,fchmod,chmod,copy_file_range,"
    "symlink,symlinkat,read,pread64,readlink,getdents64"
).split(",")


# Starts at once, whatever the `python3` of the machine is: CHECK runs after each point.
PYTHON = f"{shlex.quote(sys.executable)} -I -S"


def bash(command, folder, code=0, seed=""):
    command = command.replace("{w}", folder).replace("{rc}", str(code))
    command = command.replace("{seed}", seed).replace("{python}", PYTHON)
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120)


def die(*words):
    print("sysfault:", *words)
    sys.exit(2)


def main():
    a = argparse.ArgumentParser()
    for name in ("--setup", "--run", "--check"):
        a.add_argument(name, required=True)
    a.add_argument("--stdin", default="/dev/null")
    a.add_argument("--from", dest="begin")
    a.add_argument("--mode", default="kill")
    a.add_argument("--max", type=int, default=0)
    a.add_argument("--jobs", type=int, default=2)
    a.add_argument("--seeded", action="store_true")
    a.add_argument("-v", action="store_true")
    o = a.parse_args()
    calls = CALLS if o.mode == "kill" else FAILING
    what = "signal=KILL" if o.mode == "kill" else "error=" + o.mode
    base = tempfile.mkdtemp(prefix="sysfault-")
    seed, seeded = "", []

    def strace(trace, options, folder):
        options = ["-e", "trace=" + ",".join(trace + seeded[:1]), *options, *seeded[1:]]
        program = [word.replace("{w}", folder) for word in shlex.split(o.run)]
        with open(o.stdin.replace("{w}", folder)) as stdin:
            command = ["strace", "-f", "-qq", "-e", "signal=none", *options, "--", *program]
            return subprocess.run(
                command, stdin=stdin, capture_output=True, text=True, timeout=120, cwd=folder
            )

    def find_seed():
        """Returns the strace option that fixes the seed. The program asks for 32 bytes and may wait; the
        allocator's calls do not wait."""
        folder, trace = fresh("seed"), os.path.join(base, "trace")
        strace(["getrandom"], ["-o", trace], folder)
        calls = [line for line in open(trace, errors="replace") if " getrandom(" in line]
        ours = [number for number, line in enumerate(calls, 1) if ", 32, 0) " in line]
        # The control rolls no dice and asks for no seed; CHECK runs the real program.
        if not ours:
            return ""
        return f"inject=getrandom:poke_exit=@arg1={'07' * 32}:when={ours[0]}"

    def fresh(name):
        folder = os.path.join(base, name)
        os.mkdir(folder)
        made = bash(o.setup, folder)
        if made.returncode:
            die("the setup failed:", made.stdout, made.stderr)
        return folder

    if o.seeded:
        seed = find_seed()
        seeded += ["getrandom", "-e", seed] if seed else []
    folder, trace = fresh("base"), os.path.join(base, "trace")
    ran = strace(calls, ["-y", "-o", trace], folder)
    if ran.returncode:
        die("the program failed without a fault:", ran.stdout, ran.stderr)
    checked = bash(o.check, folder, ran.returncode, seed)
    if checked.returncode:
        die("the check failed without a fault:", checked.stdout, checked.stderr)
    if o.mode == "none":
        shutil.rmtree(base, ignore_errors=True)
        return 0

    count, points, begun = collections.Counter(), [], not o.begin
    for line in open(trace, errors="replace"):
        call = re.match(r"(\d+)\s+(\w+)\(", line)
        if not call or call[2] not in calls:
            continue
        # The start of the program itself may name it in its arguments.
        begun = begun or (call[2] != "execve" and o.begin.replace("{w}", folder) in line)
        count[call.groups()] += 1
        if begun:
            points.append((call[2], count[call.groups()]))
    points = list(dict.fromkeys(points))
    whole = len(points)
    if o.max and whole > o.max:
        points = [points[i * whole // o.max] for i in range(o.max)]
    if not points:
        die("no system call to fail")

    def try_point(point):
        call, number = point
        folder = fresh(f"{call}-{number}")
        inject = f"inject={call}:{what}:when={number}"
        try:
            ran = strace([call], ["-o", "/dev/null", "-e", inject], folder)
            checked = bash(o.check, folder, ran.returncode, seed)
        except subprocess.TimeoutExpired:
            return point, 124, 1, "it did not end"
        if checked.returncode == 0:
            shutil.rmtree(folder, ignore_errors=True)
        return point, ran.returncode, checked.returncode, (checked.stdout + checked.stderr).strip()

    bad, codes, remarks = 0, collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for (call, number), code, wrong, said in pool.map(try_point, points):
            codes[code] += 1
            remarks.update([said] if said and not wrong else [])
            if wrong:
                bad += 1
                print(f"BAD {call} #{number}, ended with {code}: {said[-300:]}")
            elif o.v:
                print(f"ok  {call} #{number}, ended with {code}")
    ends = ", ".join(f"{code}: {n}" for code, n in sorted(codes.items()))
    ends += "".join(f"; {n} left {said}" for said, n in remarks.items())
    print(f"{o.mode}: {len(points)} of {whole} points, {bad} left a wrong state; ended with {ends}")
    if bad:
        print("the wrong states are in", base)
    else:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0


sys.exit(main())
