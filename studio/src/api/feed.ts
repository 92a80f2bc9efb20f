/** The one WebSocket of this page. Whoever listens to a topic is told what is new; a broken connection is made again,
 * and goes on from where it was. */
import type { Schema } from './client';
import { link } from './link.svelte';

export type FeedSaid = Schema['FeedSaid'];
type Listener = (said: FeedSaid) => void;

interface Topic {
  listeners: Set<Listener>;
  since: number;
}

const topics = new Map<string, Topic>();
let socket: WebSocket | undefined;
let wait = 500;

function send(words: Schema['FeedAsk']): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(words));
}

function connect(): void {
  const address = new URL('./api/feed', location.href);
  address.protocol = address.protocol.replace('http', 'ws');
  address.hash = '';
  const made = new WebSocket(address);
  socket = made;
  made.onopen = () => {
    wait = 500;
    if (link.lost) link.returns += 1;
    link.lost = false;
    for (const [topic, { since }] of topics) send({ listen: topic, since });
  };
  made.onmessage = (message) => {
    const said = JSON.parse(String(message.data)) as FeedSaid;
    const topic = topics.get(said.topic);
    if (!topic) return;
    topic.since = said.since;
    for (const listener of topic.listeners) listener(said);
  };
  made.onclose = () => {
    socket = undefined;
    link.lost = topics.size > 0; // nobody asks again where nobody listens
    if (topics.size) setTimeout(() => socket ?? connect(), wait);
    wait = Math.min(wait * 2, 8000);
  };
}

/** Listen to a topic, from its `since`-th row on; returns what stops it. */
export function listen(topic: string, listener: Listener, since = 0): () => void {
  let found = topics.get(topic);
  if (!found) {
    found = { listeners: new Set(), since };
    topics.set(topic, found);
    if (socket) send({ listen: topic, since });
    else connect();
  }
  found.listeners.add(listener);
  return () => {
    found.listeners.delete(listener);
    if (found.listeners.size === 0 && topics.get(topic) === found) {
      topics.delete(topic);
      send({ leave: topic });
    }
  };
}
