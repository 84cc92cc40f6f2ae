/** What a key does on any page. */
export type KeyAction = { type: 'palette' } | { type: 'sheet' } | { type: 'go'; letter: string } | { type: 'wait' };

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** Apple's keyboards have ⌘ for what others do with Ctrl; Ctrl+K there deletes to the end of a line. */
export const isApple = /Mac|iPhone|iPad/.test(globalThis.navigator?.platform ?? '');

export const paletteKeys = isApple ? '⌘K' : 'Ctrl+K';

export interface KeyPlace {
  /** Where letters are typed, they stay letters. */
  isTyping: boolean;
  /** `g` was pressed just before. */
  isGoing: boolean;
  isApple: boolean;
}

export function actionOf(press: KeyPress, { isTyping, isGoing, isApple }: KeyPlace): KeyAction | undefined {
  const { key, ctrlKey, metaKey, altKey } = press;
  const hasMain = isApple ? metaKey && !ctrlKey : ctrlKey && !metaKey;
  if (hasMain && !altKey && key.toLowerCase() === 'k') return { type: 'palette' };
  // Of some keyboards, Alt is part of how a question mark is typed.
  if (isTyping || ctrlKey || metaKey) return undefined;
  if (key === '?') return { type: 'sheet' };
  if (altKey) return undefined;
  if (isGoing) return { type: 'go', letter: key };
  return key === 'g' ? { type: 'wait' } : undefined;
}

/** Inputs in which a letter is not text. */
const wordless = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'];

/** Whether letters that are pressed there become text, or choose from a list. */
export function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !wordless.includes(target.type);
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}
