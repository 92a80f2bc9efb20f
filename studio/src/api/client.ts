/** Typed requests: the paths and the bodies are those of the server's OpenAPI (`schema.ts` is made from it). */
import type { components, paths } from './schema';

export type Schema = components['schemas'];

/** What the server, or the way to it, has said no to; the message is a sentence for people. */
export class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathsOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P] extends Record<M, infer O> ? O : never;
type Answer<O> = O extends { responses: { 200: { content: { 'application/json': infer R } } } } ? R : undefined;
type Parameters<O> = O extends { parameters: infer R } ? R : never;
type PathParts<O> = Parameters<O> extends { path: infer R } ? R : undefined;
type Query<O> = Parameters<O> extends { query?: infer R } ? R : undefined;
type Body<O> = O extends { requestBody: { content: { 'application/json': infer R } } } ? R : undefined;

export interface Asked<O> {
  path?: PathParts<O>;
  query?: Query<O>;
  body?: Body<O>;
  signal?: AbortSignal;
}

async function ask<P extends keyof paths, M extends Method>(
  method: M,
  path: P,
  asked: Asked<Operation<P, M>> = {},
): Promise<Answer<Operation<P, M>>> {
  let address = String(path).replace(/^\//, './');
  for (const [name, value] of Object.entries((asked.path as object | undefined) ?? {})) {
    address = address.replace(`{${name}}`, encodeURIComponent(String(value)));
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((asked.query as object | undefined) ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) query.append(name, String(one));
    }
  }
  if (query.size) address += `?${query}`;
  let response: Response;
  try {
    response = await fetch(address, {
      method: method.toUpperCase(),
      signal: asked.signal,
      headers: asked.body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: asked.body === undefined ? undefined : JSON.stringify(asked.body),
    });
  } catch (error) {
    if (asked.signal?.aborted) throw error;
    throw new Refused(0, 'The studio does not answer; is `ruse studio` still running?');
  }
  const text = await response.text();
  let content: unknown;
  try {
    content = text ? JSON.parse(text) : undefined;
  } catch {
    content = undefined;
  }
  if (!response.ok) {
    const told = (content as { error?: unknown } | undefined)?.error;
    throw new Refused(response.status, typeof told === 'string' ? told : `The studio answered ${response.status}.`);
  }
  return content as Answer<Operation<P, M>>;
}

export const get = <P extends PathsOf<'get'>>(path: P, asked?: Asked<Operation<P, 'get'>>) => ask('get', path, asked);
export const post = <P extends PathsOf<'post'>>(path: P, asked?: Asked<Operation<P, 'post'>>) => ask('post', path, asked);
export const remove = <P extends PathsOf<'delete'>>(path: P, asked?: Asked<Operation<P, 'delete'>>) =>
  ask('delete', path, asked);
