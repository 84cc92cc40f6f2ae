import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';

/** The part of an address behind the path: text under these names. */
export type UrlTexts<Name extends string = string> = { [Key in Name]?: string | undefined };

/** The same with the names of all pages; `router.tsx` lists them for each. */
export type UrlState = ReturnType<typeof useSearchOfPage>;

/** A route's `validateSearch`. It has nothing to check: `parseUrlState` only ever returns text. */
export function texts<Name extends string>(search: UrlTexts<Name>): UrlTexts<Name> {
  return search;
}

/** Plain `name=value` pairs, so that links from notifications and other programs work as they are. */
export function parseUrlState(text: string): UrlTexts {
  return Object.fromEntries(new URLSearchParams(text));
}

export function printUrlState(state: UrlTexts): string {
  const pairs = Object.entries(state).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== '',
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** What the address says beside the path: a page whose state is here can be sent to a colleague. */
export function useUrlState(): [UrlState, (patch: UrlPatch, options?: { replace?: boolean }) => void] {
  const state = useSearchOfPage();
  const navigate = useNavigate();
  const change = (patch: UrlPatch, { replace = true }: { replace?: boolean } = {}) => {
    const patchOf = typeof patch === 'function' ? patch : () => patch;
    void navigate({ to: '.', search: (before) => ({ ...before, ...patchOf(before) }), replace });
  };
  return [state, change];
}

/** A function is given the address as the last change left it, which the page may not show yet. */
export type UrlPatch = UrlState | ((before: UrlState) => UrlState);

function useSearchOfPage() {
  return useSearch({ strict: false });
}

/** A page of a list, which the address holds under `name`; 1 for what is none. */
export function useUrlPage(name: keyof UrlState): [number, (page: number) => void] {
  const [state, change] = useUrlState();
  const text = state[name] ?? '';
  const page = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : 1;
  return [page, (next) => change({ [name]: next === 1 ? undefined : String(next) })];
}

/** Text that is typed: shown immediately, and in the URL as soon as that is updated. */
export function useUrlText(name: keyof UrlState): [string, (text: string) => void] {
  const [state, change] = useUrlState();
  const [text, setText] = useState(state[name] ?? '');
  const write = (next: string) => {
    setText(next);
    change({ [name]: next || undefined });
  };
  return [text, write];
}
