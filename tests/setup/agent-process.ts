import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** The built agent as a process of its own, with the simulated engine. */
export class AgentProcess {
  private text = '';
  private readonly child: ChildProcess;
  private readonly gone: Promise<void>;

  /** `env` on top of the little that every process needs. */
  constructor(env: Record<string, string>) {
    this.child = spawn(process.execPath, ['--enable-source-maps', 'dist/agent.mjs'], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        NODE_ENV: 'production',
        BERTH_ENGINE: 'simulated',
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer): void => {
      this.text += chunk.toString();
    };
    this.child.stdout!.on('data', keep);
    this.child.stderr!.on('data', keep);
    this.gone = new Promise((resolve) => this.child.once('exit', () => resolve()));
  }

  /** What it wrote to stdout and stderr. */
  get output(): string {
    return this.text;
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get exitCode(): number | null {
    return this.child.exitCode;
  }

  /** Holds it still, or lets it go on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.child.kill(signal);
  }

  /** Ends it by the signal and resolves once it is gone. */
  async kill(signal: NodeJS.Signals): Promise<void> {
    this.child.kill(signal);
    await this.gone;
  }
}
