import type { OpenMeasures, OpenQuiet } from '../../lib/protocol/measure-streams';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import type { Presence } from '../measures/presence';
import type { Sampler } from '../measures/sampler';
import { answer, type AnswerSource, requirePlace, RefusedQuestion, watchStream } from './answers';

export interface MeasureSource extends AnswerSource {
  sampler: Sampler;
}

/** A card that does more than that works for somebody. */
const GPU_MARK = 0.05;

/** Answers an `open` about how a workspace's container does. */
export function serveMeasures(stream: MuxStream, open: OpenMeasures, source: MeasureSource): void {
  watchStream(stream);
  const { workspaceId } = open;
  void answer(stream, async () => {
    if (open.kind === 'metrics') return source.sampler.read(workspaceId, open.span);
    const place = await requirePlace(source, workspaceId, '/');
    const listeners = place.isRunning ? await source.engine.inside.listListeners(place.containerId) : [];
    if (listeners) return { listeners };
    throw new RefusedQuestion(
      'invalid',
      'The container has no shell to ask, and the agent does not see its processes.',
    );
  });
}

/** Answers an `open` about which workspaces are in use: by what they use of the host, and by who is there. */
export function serveQuiet(
  stream: MuxStream,
  { cpu, network }: OpenQuiet,
  { sampler, presence }: { sampler: Sampler; presence: Presence },
): void {
  watchStream(stream);
  const measured = sampler.readQuiet({ cpu, network, gpu: GPU_MARK });
  void answer(stream, () => Promise.resolve({ workspaces: presence.limit(measured) }));
}
