SELECT src.`ServiceName` AS g,
  (src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')) AS is_current,
  count() AS spans,
  countIf((src.`ParentSpanId` = '')) AS root_calls,
  countIf(((src.`ParentSpanId` = '') AND (src.`StatusCode` IN ({p2:String}, {p3:String}, {p4:String}, {p5:String}, {p6:String})))) AS root_errors,
  toFloat64(arrayElement(quantilesExactInclusiveIf(0.5, 0.95, 0.99)(src.`Duration`, (src.`ParentSpanId` = '')), 1)) AS root_q0,
  toFloat64(arrayElement(quantilesExactInclusiveIf(0.5, 0.95, 0.99)(src.`Duration`, (src.`ParentSpanId` = '')), 2)) AS root_q1,
  toFloat64(arrayElement(quantilesExactInclusiveIf(0.5, 0.95, 0.99)(src.`Duration`, (src.`ParentSpanId` = '')), 3)) AS root_q2,
  count() AS all_calls,
  countIf((src.`StatusCode` IN ({p2:String}, {p3:String}, {p4:String}, {p5:String}, {p6:String}))) AS all_errors,
  toFloat64(arrayElement(quantilesExactInclusive(0.5, 0.95, 0.99)(src.`Duration`), 1)) AS all_q0,
  toFloat64(arrayElement(quantilesExactInclusive(0.5, 0.95, 0.99)(src.`Duration`), 2)) AS all_q1,
  toFloat64(arrayElement(quantilesExactInclusive(0.5, 0.95, 0.99)(src.`Duration`), 3)) AS all_q2
FROM `otel`.`otel_traces` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p7:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p8:Int64}, 'UTC')))
  AND ((src.`ServiceName` IN ({p9:String}, {p10:String})))
GROUP BY g, is_current
ORDER BY spans DESC, g
LIMIT 1000
-- p1 = "1736944200000"
-- p2 = "Error"
-- p3 = "ERROR"
-- p4 = "error"
-- p5 = "STATUS_CODE_ERROR"
-- p6 = "2"
-- p7 = "1736942400000"
-- p8 = "1736946000000"
-- p9 = "job"
-- p10 = "browser"
