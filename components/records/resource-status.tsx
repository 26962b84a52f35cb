'use client';

import { useServerWords } from '@/components/data/server-words';
import { useTranslations } from 'next-intl';
import type {
  BuildRecord,
  HostRecord,
  ImageRecord,
  NetworkRecord,
  VolumeRecord,
  WorkspaceRecord,
} from '@/components/data/types';
import type { GlyphKind } from '@/components/ui/glyph';
import { IMAGE_STATUSES, type ImageStatus } from '@/lib/vocabulary/image-status';
import { RESOURCE_STATUSES } from '@/lib/vocabulary/resource-status';
import { WORKSPACE_STATUSES, type WorkspaceStatus } from '@/lib/vocabulary/workspace-status';
import { Age } from './age';
import { takenPortOf } from '@/lib/vocabulary/failure-words';
import { StatusLine } from './status-line';

const workspaceGlyphs: Record<WorkspaceStatus, GlyphKind> = {
  build_pending: 'waiting',
  building: 'busy',
  deployment_pending: 'waiting',
  deploying: 'busy',
  starting: 'busy',
  running: 'up',
  stopping: 'busy',
  stopped: 'off',
  error: 'bad',
};
const imageGlyphs: Record<ImageStatus, GlyphKind> = {
  build_pending: 'waiting',
  building: 'busy',
  build_finished: 'done',
  build_cancelled: 'bad',
  error: 'bad',
};

/** What a workspace does and since when; with its host away, what was last seen and when. */
export function WorkspaceStatusLine({
  workspace,
  host,
}: {
  workspace: WorkspaceRecord;
  host?: HostRecord | undefined;
}) {
  const say = useServerWords();
  const t = useTranslations('common');
  if (workspace.template) return <TemplateLine />;
  const known = WORKSPACE_STATUSES.find((status) => status === workspace.status);
  const word = known ? t(`workspaceStatus.${known}`) : t('workspaceStatus.none');
  const isAway = host ? host.status !== 'online' : false;
  if (isAway && known && known !== 'stopped') {
    return (
      <StatusLine
        kind="stale"
        word={word}
        detail={t.rich('status.lastSeen', { age: () => <Age at={workspace.observedAt || host?.lastHeartbeat} /> })}
      />
    );
  }
  const takenPort = known === 'error' ? takenPortOf(workspace.statusMessage) : undefined;
  const message =
    takenPort === undefined ? firstLine(say(workspace.statusMessage)) : t('status.portTaken', { port: takenPort });
  // What runs and has something to say is not well: its health check fails.
  const isUnwell = known === 'running' && message !== '';
  const isBusy = (known !== 'running' && known !== 'stopped') || isUnwell;
  return (
    <StatusLine
      kind={isUnwell ? 'warn' : known ? workspaceGlyphs[known] : 'off'}
      word={workspace.desired === 'absent' ? t('workspaceStatus.deleting') : word}
      detail={isBusy && message ? message : <Age at={workspace.statusSince || workspace.updated} isShort={isBusy} />}
      title={say(workspace.statusMessage) || undefined}
    />
  );
}

/** A template is made into others; it is not built or started itself. */
function TemplateLine() {
  const t = useTranslations('common');
  return <StatusLine kind="off" word={t('template')} />;
}

export function ImageStatusLine({ image }: { image: ImageRecord | BuildRecord }) {
  const say = useServerWords();
  const t = useTranslations('common');
  if ('template' in image && image.template) return <TemplateLine />;
  const known = IMAGE_STATUSES.find((status) => status === image.status);
  const place = 'queuePlace' in image ? image.queuePlace : 0;
  const message = firstLine(say(image.statusMessage));
  return (
    <StatusLine
      kind={known ? imageGlyphs[known] : 'off'}
      word={known ? t(`imageStatus.${known}`) : t('imageStatus.none')}
      detail={
        known === 'build_pending' && place > 0
          ? t('status.place', { place })
          : message && known !== 'build_finished'
            ? message
            : known && <Age at={image.updated} isShort={known === 'building' || known === 'build_pending'} />
      }
      title={say(image.statusMessage) || undefined}
    />
  );
}

const resourceGlyphs = { pending: 'busy', created: 'done', error: 'bad' } as const;

/** How a volume or a network is on its host. */
export function ResourceStatusLine({ resource }: { resource: VolumeRecord | NetworkRecord }) {
  const say = useServerWords();
  const t = useTranslations('common');
  const known = RESOURCE_STATUSES.find((status) => status === resource.status) ?? 'pending';
  const host = resource.expand?.host;
  const isAway = known === 'pending' && host !== undefined && host.status !== 'online';
  return (
    <StatusLine
      kind={isAway ? 'waiting' : resourceGlyphs[known]}
      word={t(`resourceStatus.${known}`)}
      detail={
        isAway
          ? t('resourceStatus.away')
          : firstLine(say(resource.statusMessage)) || (known === 'created' && <Age at={resource.observedAt} />)
      }
      title={say(resource.statusMessage) || undefined}
    />
  );
}

export function HostStatusLine({ host }: { host: HostRecord }) {
  const say = useServerWords();
  const t = useTranslations('common');
  if (host.status !== 'online') {
    const detail = host.lastHeartbeat
      ? t.rich('status.lastSeen', { age: () => <Age at={host.lastHeartbeat} /> })
      : t('status.neverSeen');
    return <StatusLine kind="stale" word={t('hostStatus.offline')} detail={detail} />;
  }
  if (host.engine && !host.engine.reachable) {
    return (
      <StatusLine
        kind="warn"
        word={t('hostStatus.noEngine')}
        detail={firstLine(say(host.engine.message))}
        title={say(host.engine.message)}
      />
    );
  }
  if (host.engine?.message) {
    const { message } = host.engine;
    return <StatusLine kind="warn" word={t('hostStatus.online')} detail={firstLine(message)} title={message} />;
  }
  if (host.engine && !host.engine.liveLink) {
    return <StatusLine kind="warn" word={t('hostStatus.online')} detail={t('hostStatus.degraded')} />;
  }
  return <StatusLine kind="up" word={t('hostStatus.online')} detail={<Age at={host.lastHeartbeat} />} />;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}
