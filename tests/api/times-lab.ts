import { users } from '@/lib/accounts/collection';
import { setClock } from '@/lib/clock';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { HostRow } from '@/lib/hosts/collection';
import type { ImageRow } from '@/lib/images/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { settings } from '@/lib/settings/collection';
import { type WorkspaceRow } from '@/lib/workspaces/collection';
import { deployments } from '@/lib/workspaces/deployments';
import { timeNotices } from '@/lib/notices/collection';
import { sweepTimes } from '@/lib/workspaces/times/sweep';
import { api } from '../setup/api';
import { createHost, createImage, createTenant, readWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';
import { makeObserved, type ScriptedAgent } from './scripted-agent';

const MINUTE_MS = 60_000;

/** A host whose agent tells of each workspace how long it was not in use, and a clock that the test moves. */
export class TimesLab {
  /** Seconds by workspace; the agent says nothing of others. */
  readonly quiet = new Map<string, number>();
  isAnswering = true;
  agent!: ScriptedAgent;
  host!: HostRow;
  image!: ImageRow;
  owner!: UserActor;
  private at = Date.parse('2026-03-02T09:00:00Z');
  private restoreClock = (): void => undefined;
  private server!: Awaited<ReturnType<typeof startLinkServer>>;
  private link!: AgentLink;

  async open(): Promise<void> {
    this.restoreClock = setClock(() => this.at);
    this.server = await startLinkServer();
    ({ agent: this.agent, host: this.host } = await createHost(createCaller([...agentRoutes])));
    await this.dial();
    this.owner = await createTenant(this.host);
    this.image = await createImage({ build_on: this.host.id, created_by: this.owner.id });
  }

  async dial(): Promise<void> {
    this.link = await connectLink(this.agent, this.server.port, {
      answer: (stream, open) => {
        if (open.kind !== 'quiet' || !this.isAnswering) return stream.fail('no');
        const workspaces = [...this.quiet].map(([id, seconds]) => ({ id, seconds }));
        void stream.write(Buffer.from(`${JSON.stringify({ workspaces })}\n`)).then(() => stream.end());
      },
    });
  }

  async close(): Promise<void> {
    this.link.socket.terminate();
    await this.server.close();
    this.restoreClock();
  }

  get now(): number {
    return this.at;
  }

  set(iso: string): void {
    this.at = Date.parse(iso);
  }

  /** Lets minutes pass, in steps of one, and does what is due after each. */
  async pass(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      this.at += MINUTE_MS;
      for (const [id, seconds] of this.quiet) this.quiet.set(id, seconds + 60);
      await sweepTimes();
    }
  }

  async jump(minutes: number): Promise<void> {
    this.at += minutes * MINUTE_MS;
    await sweepTimes();
  }

  async create(values: Record<string, unknown> = {}, as: UserActor = this.owner): Promise<WorkspaceRow> {
    const body = { name: `w-${Math.random().toString(36).slice(2)}`, host: this.host.id, image: this.image.id };
    const made = await api('POST', '/api/collections/workspaces/records', { as, body: { ...body, ...values } });
    if (made.status !== 200) throw new Error(JSON.stringify(made.json));
    return readWorkspace(made.json.id as string)!;
  }

  /** Has a workspace run, as its host says. */
  async run(id: string): Promise<void> {
    const asked = await api('POST', `/api/workspace/${id}/request`, { as: this.owner, body: { action: 'start' } });
    if (asked.status !== 202) throw new Error(JSON.stringify(asked.json));
    await this.observe(id, 'running');
    this.quiet.set(id, 0);
  }

  async observe(id: string, status: 'running' | 'stopped'): Promise<void> {
    const deployment = this.history(id).at(-1)!;
    const { generation } = deployment;
    const [row] = new StoreReader().find(deployments, { id: deployment.id });
    await this.agent.report({ objects: [makeObserved({ id, generation, attempt: row!.attempt, status })] });
  }

  history(id: string) {
    return new StoreReader().find(deployments, { workspace: id }, { orderBy: 'number' });
  }

  /** Kinds of what its owner was told, the oldest first. */
  told(id: string): string[] {
    return new StoreReader().find(timeNotices, { workspace: id }, { orderBy: 'created' }).map(({ kind }) => kind);
  }

  notices(id: string) {
    return new StoreReader().find(timeNotices, { workspace: id }, { orderBy: 'created' });
  }

  async bound(value: Record<string, number>): Promise<void> {
    await write((tx) => {
      const [row] = tx.find(settings, { key: 'times' });
      if (row) tx.patch(settings, row.id, { value });
      else tx.insert(settings, { key: 'times', value });
    });
  }

  async disableOwner(isEnabled = false): Promise<void> {
    await write((tx) => tx.patch(users, this.owner.id, { enabled: isEnabled }));
  }
}
