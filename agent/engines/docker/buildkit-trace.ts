import protobuf from 'protobufjs';

/** BuildKit's progress as it comes in the aux of a build's answer: base64 of a protobuf StatusResponse. */

const time = { type: 'Timestamp', id: 0 };
const root = protobuf.Root.fromJSON({
  nested: {
    Timestamp: { fields: { seconds: { type: 'int64', id: 1 }, nanos: { type: 'int32', id: 2 } } },
    Vertex: {
      fields: {
        digest: { type: 'string', id: 1 },
        name: { type: 'string', id: 3 },
        cached: { type: 'bool', id: 4 },
        started: { ...time, id: 5 },
        completed: { ...time, id: 6 },
        error: { type: 'string', id: 7 },
      },
    },
    VertexStatus: {
      fields: {
        ID: { type: 'string', id: 1 },
        vertex: { type: 'string', id: 2 },
        name: { type: 'string', id: 3 },
        current: { type: 'int64', id: 4 },
        total: { type: 'int64', id: 5 },
        completed: { ...time, id: 8 },
      },
    },
    VertexLog: {
      fields: {
        vertex: { type: 'string', id: 1 },
        stream: { type: 'int64', id: 3 },
        msg: { type: 'bytes', id: 4 },
      },
    },
    StatusResponse: {
      fields: {
        vertexes: { rule: 'repeated', type: 'Vertex', id: 1 },
        statuses: { rule: 'repeated', type: 'VertexStatus', id: 2 },
        logs: { rule: 'repeated', type: 'VertexLog', id: 3 },
      },
    },
  },
});
const statusResponse = root.lookupType('StatusResponse');

interface Timestamp {
  seconds: number;
  nanos?: number;
}

export interface TraceVertex {
  digest: string;
  name: string;
  cached: boolean;
  /** Milliseconds; null until it has happened. */
  startedMs: number | null;
  completedMs: number | null;
  error: string;
}

export interface Trace {
  vertexes: TraceVertex[];
  statuses: { id: string; vertex: string; current: number; total: number; isCompleted: boolean }[];
  logs: { vertex: string; text: Buffer }[];
}

interface RawTrace {
  vertexes: {
    digest: string;
    name: string;
    cached: boolean;
    started: Timestamp | null;
    completed: Timestamp | null;
    error: string;
  }[];
  statuses: { ID: string; vertex: string; current: number; total: number; completed: Timestamp | null }[];
  logs: { vertex: string; msg: Buffer }[];
}

/** Throws when the bytes are no StatusResponse. */
export function decodeTrace(base64: string): Trace {
  const message = statusResponse.decode(Buffer.from(base64, 'base64'));
  const raw = statusResponse.toObject(message, { longs: Number, arrays: true, defaults: true }) as RawTrace;
  return {
    vertexes: raw.vertexes.map(({ digest, name, cached, started, completed, error }) => {
      return { digest, name, cached, startedMs: toMs(started), completedMs: toMs(completed), error };
    }),
    statuses: raw.statuses.map(({ ID, vertex, current, total, completed }) => {
      return { id: ID, vertex, current, total, isCompleted: completed !== null };
    }),
    logs: raw.logs.map(({ vertex, msg }) => ({ vertex, text: Buffer.from(msg) })),
  };
}

function toMs(time: Timestamp | null): number | null {
  return time ? time.seconds * 1000 + (time.nanos ?? 0) / 1e6 : null;
}
