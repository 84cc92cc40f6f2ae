/** The same place in ten spellings, and a few more. */
export const loopbackSpellings = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::7f00:1]/',
  'http://[::]/',
  'http://0/',
  'http://localhost/',
];
