/** Short messages at the edge of the page. */

export interface Toast {
  id: number;
  text: string;
  kind: 'good' | 'bad';
}

export const toasts = $state<{ shown: Toast[] }>({ shown: [] });

let last = 0;

export function say(text: string, kind: 'good' | 'bad' = 'good'): void {
  const id = ++last;
  toasts.shown = [...toasts.shown.slice(-3), { id, text, kind }];
  setTimeout(() => dismiss(id), kind === 'bad' ? 9000 : 4500);
}

/** The sentence of anything that was thrown. */
export function complain(error: unknown): void {
  say(error instanceof Error ? error.message : String(error), 'bad');
}

export function dismiss(id: number): void {
  toasts.shown = toasts.shown.filter((toast) => toast.id !== id);
}
