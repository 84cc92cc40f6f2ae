/**
 * Filters that templates may use: those whose work is bounded by what they are given. Left out are the ones that run an
 * expression for each item (`has_exp`, `find_exp`, …), and those that messages have no use for.
 */
export const allowedFilters: ReadonlySet<string> = new Set([
  ...['append', 'prepend', 'capitalize', 'downcase', 'upcase', 'strip', 'lstrip', 'rstrip', 'squish'],
  ...['strip_newlines', 'newline_to_br', 'strip_html', 'escape', 'escape_once', 'normalize_whitespace'],
  ...['replace', 'replace_first', 'replace_last', 'remove', 'remove_first', 'remove_last'],
  ...['truncate', 'truncatewords', 'split', 'slice', 'size', 'number_of_words', 'slugify'],
  ...['url_encode', 'url_decode', 'base64_encode', 'base64_decode', 'sha256'],
  ...['abs', 'at_least', 'at_most', 'ceil', 'floor', 'round', 'plus', 'minus', 'times', 'divided_by', 'modulo'],
  ...['to_integer', 'date', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string'],
  ...['join', 'first', 'last', 'reverse', 'sort', 'uniq', 'compact', 'concat', 'map', 'sum', 'where'],
  ...['default', 'raw'],
]);
