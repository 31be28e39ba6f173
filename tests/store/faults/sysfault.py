#!/usr/bin/env python3
"""sysfault.py - end or fail a program at each of its system calls, and check what is left.

  sysfault.py --setup CMD --run PROGRAM... --check CMD [--stdin FILE] [--from TEXT]
              [--mode none|kill|EIO|ENOSPC|EDQUOT|EINTR|EMFILE] [--max N] [--jobs J] [--seeded] [-v]

The program runs once under strace, which counts its system calls. Then it runs again for each of
them, with that very call replaced: in mode kill by SIGKILL (the call does not happen), else by its
failure with that error; in mode none there is no other run. After each run CHECK says with its exit code whether what is left is right.

In every command {w} is a fresh folder for that run, in CHECK {rc} is how the program ended: its
exit code, -9 if it was killed. SETUP and CHECK are for bash; the program is started without a shell,
whose own system calls would be counted. With --from, calls before the first one that names TEXT are
left alone: until then the program is only being loaded. With --max, N points spread evenly over all
are tried. With --seeded the program gets the same bytes in every run where it asks the machine for
a seed of 32, and {seed} in CHECK is how strace is told so. What CHECK says of a right state is
counted. strace injects by ptrace, so that statically linked programs are covered, which a shim in
LD_PRELOAD does not do. Exit code: 0 all right, 1 wrong states, 2 the bench itself does not work.
"""
import argparse, collections, concurrent.futures, os, re, shlex, shutil, subprocess, sys, tempfile

CALLS = (
    "openat,creat,write,pwrite64,writev,fsync,fdatasync,syncfs,sync_file_range,rename,renameat,"
    "renameat2,link,linkat,unlink,unlinkat,mkdir,mkdirat,rmdir,ftruncate,fallocate,flock,fcntl,close,"
    "chmod,fchmod,fchmodat,copy_file_range,sendfile,utimensat,symlink,symlinkat,read,pread64,readlink,"
    "getdents64,newfstatat,statx,fstat,lseek,pipe2,execve,clone,clone3,vfork,wait4,socket,connect,"
    "sendto,recvfrom,mmap,exit_group"
).split(",")
# A call that fails where the system never lets it fail shows nothing.
FAILING = (
    "openat,creat,write,pwrite64,writev,fsync,fdatasync,syncfs,rename,renameat,renameat2,link,linkat,"
    "unlink,unlinkat,mkdir,mkdirat,ftruncate,fallocate,flock,close,fchmod,chmod,copy_file_range,"
    "symlink,symlinkat,read,pread64,readlink,getdents64"
).split(",")


def bash(command, folder, code=0, seed=""):
    command = command.replace("{w}", folder).replace("{rc}", str(code)).replace("{seed}", seed)
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
        """What gives the program always the same seed: its call is known by its length. The allocator's are
        told not to wait."""
        folder, trace = fresh("seed"), os.path.join(base, "trace")
        strace(["getrandom"], ["-o", trace], folder)
        calls = [line for line in open(trace, errors="replace") if " getrandom(" in line]
        ours = [number for number, line in enumerate(calls, 1) if ", 32, 0) " in line]
        # A control that throws no dice asks for none; the program behind it is asked by CHECK.
        if not ours:
            return ""
        return f"inject=getrandom:poke_exit=@arg1={'07' * 32}:when={ours[0]}"

    def fresh(name):
        folder = os.path.join(base, name)
        os.mkdir(folder)
        made = bash(o.setup, folder)
        if made.returncode:
            die("the setup fails:", made.stdout, made.stderr)
        return folder

    if o.seeded:
        seed = find_seed()
        seeded += ["getrandom", "-e", seed] if seed else []
    folder, trace = fresh("base"), os.path.join(base, "trace")
    ran = strace(calls, ["-y", "-o", trace], folder)
    if ran.returncode:
        die("the program fails without a fault:", ran.stdout, ran.stderr)
    checked = bash(o.check, folder, ran.returncode, seed)
    if checked.returncode:
        die("the check fails without a fault:", checked.stdout, checked.stderr)
    if o.mode == "none":
        shutil.rmtree(base, ignore_errors=True)
        return 0

    count, points, begun = collections.Counter(), [], not o.begin
    for line in open(trace, errors="replace"):
        call = re.match(r"(\d+)\s+(\w+)\(", line)
        if not call or call[2] not in calls:
            continue
        # Not the start of the program itself, which has it in its arguments.
        begun = begun or (call[2] != "execve" and o.begin.replace("{w}", folder) in line)
        count[call.groups()] += 1
        if begun:
            points.append((call[2], count[call.groups()]))
    points = list(dict.fromkeys(points))
    whole = len(points)
    if o.max and whole > o.max:
        points = [points[i * whole // o.max] for i in range(o.max)]
    if not points:
        die("there is nothing to fail")

    def one(point):
        call, number = point
        folder = fresh(f"{call}-{number}")
        inject = f"inject={call}:{what}:when={number}"
        ran = strace([call], ["-o", "/dev/null", "-e", inject], folder)
        checked = bash(o.check, folder, ran.returncode, seed)
        if checked.returncode == 0:
            shutil.rmtree(folder, ignore_errors=True)
        return point, ran.returncode, checked.returncode, (checked.stdout + checked.stderr).strip()

    bad, codes, remarks = 0, collections.Counter(), collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for (call, number), code, wrong, said in pool.map(one, points):
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
        print("what they left is in", base)
    else:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if bad else 0


sys.exit(main())
