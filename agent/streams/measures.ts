import type { OpenMeasures } from '../../lib/protocol/measure-streams';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import type { Sampler } from '../measures/sampler';
import { answer, type AnswerSource, requirePlace, RefusedQuestion, watchStream } from './answers';

export interface MeasureSource extends AnswerSource {
  sampler: Sampler;
}

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
