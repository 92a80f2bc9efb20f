/** Light or dark: as the system says until somebody chooses. */

export type Theme = 'light' | 'dark';

const CHOSEN = 'ruse.theme';

export const theme = $state<{ now: Theme }>({
  now: document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light',
});

export function choose(now: Theme): void {
  theme.now = now;
  document.documentElement.dataset.theme = now;
  try {
    localStorage.setItem(CHOSEN, now);
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
}

/** What a token of tokens.css is now; read it where `theme.now` is read too, so that it is read again. */
export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
