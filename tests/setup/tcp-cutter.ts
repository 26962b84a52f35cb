import net from 'node:net';

/** What happens to connections through it: all passes, or one of the ways in which a network fails. */
export type Passage = 'open' | 'drop' | 'hang' | 'blackhole' | 'forget';

/** Passes TCP on to a port of this machine until a test cuts it. */
export interface TcpCutter {
  readonly url: string;
  /**
   * `drop` ends every connection and each new one; `hang` ends those that are there, and takes new ones without passing
   * anything. `blackhole` passes nothing on and tells nobody, and what was sent meanwhile arrives when it is `open` again;
   * `forget`, as a router that is restarted, takes no new ones, and of the others nothing ever arrives any more.
   */
  set(passage: Passage): void;
  /** Lets what comes from the other side through at so many megabytes a second; 0 at any speed. */
  slowDown(mbPerSecond: number): void;
  close(): Promise<void>;
}

interface Pair {
  near: net.Socket;
  far: net.Socket | undefined;
  isSilent: boolean;
}

export async function startTcpCutter(port: number): Promise<TcpCutter> {
  let passage: Passage = 'open';
  let mbPerSecond = 0;
  const pairs = new Set<Pair>();

  const server = net.createServer((near) => {
    if (passage === 'drop' || passage === 'forget') return void near.destroy();
    const isSilent = passage !== 'open';
    const pair: Pair = { near, far: passage === 'hang' ? undefined : net.connect(port, '127.0.0.1'), isSilent };
    pairs.add(pair);
    if (isSilent) silence(pair);
    for (const [from, to] of [
      [near, pair.far],
      [pair.far, near],
    ]) {
      from?.on('error', () => undefined);
      from?.on('data', (chunk: Buffer) => {
        to?.write(chunk);
        if (from === near || mbPerSecond === 0) return;
        from.pause();
        setTimeout(() => !pair.isSilent && from.resume(), chunk.length / (mbPerSecond * 1000));
      });
      // A silent one tells nobody of the end either.
      from?.on('close', () => !pair.isSilent && to?.destroy());
    }
    near.on('close', () => !pair.isSilent && pairs.delete(pair));
  });
  const endAll = (): void => {
    for (const { near, far } of [...pairs]) {
      near.destroy();
      far?.destroy();
    }
    pairs.clear();
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    set(next) {
      if (next === 'drop' || next === 'hang' || passage === 'hang') endAll();
      if (next === 'blackhole' || next === 'forget') pairs.forEach(silence);
      if (next === 'open' && passage === 'blackhole') pairs.forEach(wake);
      passage = next;
    },
    slowDown: (speed) => (mbPerSecond = speed),
    async close() {
      passage = 'drop';
      endAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function silence(pair: Pair): void {
  pair.isSilent = true;
  pair.near.pause();
  pair.far?.pause();
}

/** Passes on what waited, and that an end is gone. */
function wake(pair: Pair): void {
  const { near, far } = pair;
  pair.isSilent = false;
  if (near.destroyed || !far || far.destroyed) {
    near.destroy();
    far?.destroy();
    return;
  }
  near.resume();
  far.resume();
}
