/** Texts that stores, drivers and encodings like to change. */
export const awkwardTexts: readonly { title: string; text: string }[] = [
  { title: 'many scripts and signs', text: 'Ünïcödé 監視 пример 🚨👩‍💻 e\u0301 \u202Ertl' },
  { title: 'quotes, backslashes and line breaks', text: `'"\`\\ \r\n\t; drop table dashboards; --` },
  { title: 'parameter marks', text: '? $1 :name @name %s {{x}}' },
  { title: 'NUL and other control characters', text: 'a\u0000b\u0001\u001F\u007F' },
  { title: 'half of a surrogate pair', text: 'a\uD83Db' },
  { title: 'a byte order mark and spaces at both ends', text: '\uFEFF  x  ' },
  { title: 'what looks like a number or null', text: '1e400' },
];
