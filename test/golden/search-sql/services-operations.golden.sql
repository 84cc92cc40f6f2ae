SELECT src.`SpanName` AS g,
  (src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')) AS is_current,
  count() AS spans,
  countIf((src.`SpanKind` IN ({p2:String}, {p3:String}, {p4:String}, {p5:String}, {p6:String}, {p7:String}, {p8:String}, {p9:String}, {p10:String}, {p11:String}))) AS entry_calls,
  countIf(((src.`SpanKind` IN ({p2:String}, {p3:String}, {p4:String}, {p5:String}, {p6:String}, {p7:String}, {p8:String}, {p9:String}, {p10:String}, {p11:String})) AND (src.`StatusCode` IN ({p12:String}, {p13:String}, {p14:String}, {p15:String}, {p6:String})))) AS entry_errors,
  toFloat64(arrayElement(quantilesExactInclusiveIf(0.5, 0.95, 0.99)(src.`Duration`, (src.`SpanKind` IN ({p2:String}, {p3:String}, {p4:String}, {p5:String}, {p6:String}, {p7:String}, {p8:String}, {p9:String}, {p10:String}, {p11:String}))), 1)) AS entry_q0,
  toFloat64(arrayElement(quantilesExactInclusiveIf(0.5, 0.95, 0.99)(src.`Duration`, (src.`SpanKind` IN ({p2:String}, {p3:String}, {p4:String}, {p5:String}, {p6:String}, {p7:String}, {p8:String}, {p9:String}, {p10:String}, {p11:String}))), 2)) AS entry_q1,
  toFloat64(arrayElement(quantilesExactInclusiveIf(0.5, 0.95, 0.99)(src.`Duration`, (src.`SpanKind` IN ({p2:String}, {p3:String}, {p4:String}, {p5:String}, {p6:String}, {p7:String}, {p8:String}, {p9:String}, {p10:String}, {p11:String}))), 3)) AS entry_q2
FROM `otel`.`otel_traces` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p16:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p17:Int64}, 'UTC')))
  AND ((src.`ServiceName` IN ({p18:String})))
GROUP BY g, is_current
ORDER BY spans DESC, g
LIMIT 1000
-- p1 = "1736944200000"
-- p2 = "Server"
-- p3 = "SERVER"
-- p4 = "server"
-- p5 = "SPAN_KIND_SERVER"
-- p6 = "2"
-- p7 = "Consumer"
-- p8 = "CONSUMER"
-- p9 = "consumer"
-- p10 = "SPAN_KIND_CONSUMER"
-- p11 = "5"
-- p12 = "Error"
-- p13 = "ERROR"
-- p14 = "error"
-- p15 = "STATUS_CODE_ERROR"
-- p16 = "1736942400000"
-- p17 = "1736946000000"
-- p18 = "cart"
