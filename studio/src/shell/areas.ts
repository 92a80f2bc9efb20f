/** The areas of the studio, in the order of the navigation. Each is loaded when it is first opened. */
import type { Component } from 'svelte';

export interface AreaProps {
  path: string[]; // what follows the area's own word in the address
}

export interface AreaEntry {
  word: string;
  title: string;
  icon: string; // the path of a 24 x 24 drawing in strokes
  load: () => Promise<{ default: Component<AreaProps> }>;
}

export const AREAS: AreaEntry[] = [
  {
    word: 'play',
    title: 'Play',
    icon: 'M7 3.500h7a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2v-11a2 2 0 0 1 2-2Zm9 3 3.2 1.200a2 2 0 0 1 1.2 2.600L17 19.500M10.5 8.500l1.8 2.5-1.8 2.500L8.7 11Z',
    load: () => import('../areas/play/Area.svelte'),
  },
  {
    word: 'runs',
    title: 'Runs',
    icon: 'M4 4v16h16M7.5 8c1.5 5 4 7.5 11.5 8',
    load: () => import('../areas/runs/Area.svelte'),
  },
  {
    word: 'explore',
    title: 'Explorer',
    icon: 'M12 4v4m0 0H6.500v4M12 8h5.500v4M4.5 12h4v4h-4Zm11 0h4v4h-4ZM6.5 16v4m11-4v4',
    load: () => import('../areas/explore/Area.svelte'),
  },
  {
    word: 'styles',
    title: 'Styles',
    icon: 'M5 7h8m4 0h2M5 12h2m4 0h8M5 17h9m4 0h1M15 5v4M9 10v4m7 1v4',
    load: () => import('../areas/styles/Area.svelte'),
  },
  {
    word: 'replay',
    title: 'Replay',
    icon: 'M4.5 12a7.5 7.5 0 1 0 2.3-5.400M4 4v4h4m2.5 1 4.5 3-4.5 3Z',
    load: () => import('../areas/replay/Area.svelte'),
  },
  {
    word: 'arena',
    title: 'Arena',
    icon: 'M7 4h10v5a5 5 0 0 1-10 0ZM7 6H4c0 3 1 4.5 3.3 5M17 6h3c0 3-1 4.5-3.3 5M12 14v4m-4 2h8',
    load: () => import('../areas/arena/Area.svelte'),
  },
  {
    word: 'papers',
    title: 'Papers',
    icon: 'M6 3.500h8l4 4v13H6Zm8 0v4h4M9 12h6M9 15.500h6',
    load: () => import('../areas/papers/Area.svelte'),
  },
];

/** The area that an address means; one that says nothing means the first. */
export const areaOf = (path: string[]): AreaEntry | undefined =>
  path.length ? AREAS.find((entry) => entry.word === path[0]) : AREAS[0];
