import { expect, it } from 'vitest';
import { actionOf } from './key-press.ts';

const bare = { ctrlKey: false, metaKey: false, altKey: false };
const page = { isTyping: false, isGoing: false, isApple: false };
const field = { ...page, isTyping: true };

it.each([
  ['Ctrl+K', { ...bare, key: 'k', ctrlKey: true }, page, { type: 'palette' }],
  ['Ctrl+K with Caps Lock', { ...bare, key: 'K', ctrlKey: true }, page, { type: 'palette' }],
  ['Ctrl+K while typing', { ...bare, key: 'k', ctrlKey: true }, field, { type: 'palette' }],
  ['Ctrl+K of a Mac', { ...bare, key: 'k', ctrlKey: true }, { ...field, isApple: true }, undefined],
  ['⌘K of a Mac', { ...bare, key: 'k', metaKey: true }, { ...field, isApple: true }, { type: 'palette' }],
  ['⌘K elsewhere', { ...bare, key: 'k', metaKey: true }, page, undefined],
  ['Ctrl+Alt+K', { ...bare, key: 'k', ctrlKey: true, altKey: true }, page, undefined],
  ['?', { ...bare, key: '?' }, page, { type: 'sheet' }],
  ['? typed with Alt', { ...bare, key: '?', altKey: true }, page, { type: 'sheet' }],
  ['? in a field', { ...bare, key: '?' }, field, undefined],
  ['g', { ...bare, key: 'g' }, page, { type: 'wait' }],
  ['g in a field', { ...bare, key: 'g' }, field, undefined],
  ['Ctrl+G', { ...bare, key: 'g', ctrlKey: true }, page, undefined],
  ['g d', { ...bare, key: 'd' }, { ...page, isGoing: true }, { type: 'go', letter: 'd' }],
  ['d alone', { ...bare, key: 'd' }, page, undefined],
])('%s', (_name, press, place, action) => {
  expect(actionOf(press, place)).toEqual(action);
});
