export interface StreamEvents {
  onMessage: (data: string, id: string) => void;
  /** What is told between the messages. */
  onNews?: (data: string) => void;
  /** The server has nothing more to say. */
  onEnd: (data: string) => void;
  onOpen: () => void;
  /** The connection broke; the browser tries again by itself and says where it was. */
  onLost: () => void;
}

/** Reads a server-sent stream until its `end` event. Returns its close. */
export function readEventStream(url: string, events: StreamEvents): () => void {
  const source = new EventSource(url);
  source.onopen = events.onOpen;
  source.onmessage = (event: MessageEvent<string>) => events.onMessage(event.data, event.lastEventId);
  source.addEventListener('news', (event: MessageEvent<string>) => events.onNews?.(event.data));
  source.addEventListener('end', (event: MessageEvent<string>) => {
    source.close();
    events.onEnd(event.data);
  });
  source.onerror = () => {
    if (source.readyState === EventSource.CLOSED) events.onEnd('{}');
    else events.onLost();
  };
  return () => source.close();
}
