/**
 * Runs a program on a terminal of its own, for `python3 -c`: arguments are rows, columns and the program's words. Keys come
 * by standard input, what is printed goes to standard output, and lines of `rows columns` by descriptor 3 change the size.
 * When that one ends, as it does with the agent, the program is hung up. Ends with the program's own code.
 */
export const PTY_BRIDGE = String.raw`
import fcntl, os, pty, select, signal, struct, sys, termios

SIZES = 3

def fit(fd, rows, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))

awake, waker = os.pipe()
os.set_blocking(waker, False)
signal.set_wakeup_fd(waker)
signal.signal(signal.SIGCHLD, lambda *_: None)
child, master = pty.fork()
if child == 0:
    try:
        os.close(SIZES)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        fit(0, sys.argv[1], sys.argv[2])
        os.execvp(sys.argv[3], sys.argv[3:])
    finally:
        os._exit(127)
os.set_blocking(master, False)
os.set_blocking(1, False)

def take(fd):
    try:
        return os.read(fd, 65536)
    except BlockingIOError:
        return None
    except OSError:
        return b""

def give(fd, data):
    try:
        return data[os.write(fd, data):]
    except BlockingIOError:
        return data

def end(status):
    sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))

keys, shown, sizes, status = b"", b"", b"", None
reads_keys, is_open, last_looks = True, True, 64
while True:
    reads = [SIZES, awake]
    if is_open and not shown:
        reads.append(master)
    if reads_keys and not keys:
        reads.append(0)
    writes = [1] if shown else []
    if keys:
        writes.append(master)
    ready, writable, _ = select.select(reads, writes, [])
    if awake in ready:
        os.read(awake, 4096)
        ended, how = os.waitpid(child, os.WNOHANG)
        if ended:
            status, keys, reads_keys = how, b"", False
    if SIZES in ready:
        line = take(SIZES)
        if line == b"":
            if status is None:
                os.kill(child, signal.SIGHUP)
            sys.exit(129)
        *lines, sizes = (sizes + (line or b"")).split(b"\n")
        if lines:
            fit(master, *lines[-1].split())
    if reads_keys and 0 in ready:
        keys = take(0) or b""
        reads_keys = keys != b""
    if keys and master in writable:
        keys = give(master, keys)
    if shown and 1 in writable:
        shown = give(1, shown)
    if is_open and not shown:
        printed = take(master)
        is_open = printed != b""
        shown = printed or b""
        if status is not None:
            last_looks -= 1
    if status is not None and (not shown or last_looks < 0):
        end(status)
`;
