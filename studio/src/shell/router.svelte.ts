/** Where the page is: `#/runs/NAME` is ['runs', 'NAME']. Each part is percent-encoded, so it may hold anything. */

export function partsOf(hash: string): string[] {
  return hash
    .replace(/^#?\/?/, '')
    .split('/')
    .filter(Boolean)
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        return part;
      }
    });
}

/** The address of a place, for links. */
export function to(...parts: (string | number)[]): string {
  return '#/' + parts.map((part) => encodeURIComponent(String(part))).join('/');
}

export const place = $state<{ path: string[] }>({ path: partsOf(location.hash) });

/** The path follows the address; the same place again is no change. */
function follow(): void {
  const path = partsOf(location.hash);
  if (path.join('\n') !== place.path.join('\n')) place.path = path;
}

addEventListener('hashchange', follow);

/** Goes there at once: `hashchange` comes later, and what is clicked until then would start from the old place. */
export function go(...parts: (string | number)[]): void {
  location.hash = to(...parts);
  follow();
}

/** The same place under a more exact address, which the Back button does not stop at. */
export function replace(...parts: (string | number)[]): void {
  if (to(...parts) === location.hash) return; // or an effect that calls this would run for ever
  history.replaceState(null, '', to(...parts));
  follow();
}
