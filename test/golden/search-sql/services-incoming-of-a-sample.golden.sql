SELECT service AS service,
  substring(system, 1, (position(system, ' ') - 1)) AS system_kind,
  substring(system, (position(system, ' ') + 1)) AS system_name,
  count() AS calls,
  countIf(failed) AS errors,
  toFloat64(arrayElement(quantilesExactInclusive(0.5, 0.95, 0.99)(duration), 1)) AS q0,
  toFloat64(arrayElement(quantilesExactInclusive(0.5, 0.95, 0.99)(duration), 2)) AS q1,
  toFloat64(arrayElement(quantilesExactInclusive(0.5, 0.95, 0.99)(duration), 3)) AS q2
FROM (
  SELECT src.`ServiceName` AS service,
    src.`__sampled_system` AS system,
    src.`Duration` AS duration,
    (src.`StatusCode` IN ({p1:String}, {p2:String}, {p3:String}, {p4:String}, {p5:String})) AS failed
  FROM `otel`.`otel_traces` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p6:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p7:Int64}, 'UTC')))
    AND ((src.`__sampled_span` != 0))
    AND ((src.`SpanKind` IN ({p8:String}, {p9:String}, {p10:String}, {p11:String}, {p12:String})))
)
GROUP BY service, system_kind, system_name
ORDER BY calls DESC, service, system_kind, system_name
LIMIT 1000
-- p1 = "Error"
-- p2 = "ERROR"
-- p3 = "error"
-- p4 = "STATUS_CODE_ERROR"
-- p5 = "2"
-- p6 = "1736942400000"
-- p7 = "1736946000000"
-- p8 = "Consumer"
-- p9 = "CONSUMER"
-- p10 = "consumer"
-- p11 = "SPAN_KIND_CONSUMER"
-- p12 = "5"
