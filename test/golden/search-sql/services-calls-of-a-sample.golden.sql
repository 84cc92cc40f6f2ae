SELECT caller AS caller,
  callee AS callee,
  count() AS calls,
  countIf(failed) AS errors,
  toFloat64(arrayElement(quantilesExactInclusive(0.5, 0.95, 0.99)(duration), 1)) AS q0,
  toFloat64(arrayElement(quantilesExactInclusive(0.5, 0.95, 0.99)(duration), 2)) AS q1,
  toFloat64(arrayElement(quantilesExactInclusive(0.5, 0.95, 0.99)(duration), 3)) AS q2
FROM (
  SELECT src.`__sampled_span` AS caller_key,
    src.`ServiceName` AS caller
  FROM `otel`.`otel_traces` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
    AND ((src.`__sampled_span` != 0))
    AND (NOT ((src.`SpanKind` IN ({p3:String}, {p4:String}, {p5:String}, {p6:String}, {p7:String}))))
) AS l
INNER JOIN (
  SELECT src.`__sampled_parent` AS callee_key,
    src.`ServiceName` AS callee,
    src.`Duration` AS duration,
    (src.`StatusCode` IN ({p8:String}, {p9:String}, {p10:String}, {p11:String}, {p12:String})) AS failed
  FROM `otel`.`otel_traces` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p13:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p14:Int64}, 'UTC')))
    AND (NOT ((src.`SpanKind` IN ({p3:String}, {p4:String}, {p5:String}, {p6:String}, {p7:String}, {p15:String}, {p16:String}, {p17:String}, {p18:String}, {p19:String}, {p20:String}, {p21:String}, {p22:String}, {p23:String}, {p24:String}, {p25:String}, {p26:String}, {p27:String}, {p28:String}, {p29:String}))))
    AND ((src.`__sampled_parent` != 0))
) AS r ON caller_key = callee_key
WHERE ((caller != callee))
GROUP BY caller, callee
ORDER BY calls DESC, caller, callee
LIMIT 1000
-- p1 = "1736942400000"
-- p2 = "1736946000000"
-- p3 = "Internal"
-- p4 = "INTERNAL"
-- p5 = "internal"
-- p6 = "SPAN_KIND_INTERNAL"
-- p7 = "1"
-- p8 = "Error"
-- p9 = "ERROR"
-- p10 = "error"
-- p11 = "STATUS_CODE_ERROR"
-- p12 = "2"
-- p13 = "1736942340000"
-- p14 = "1736946600000"
-- p15 = "Client"
-- p16 = "CLIENT"
-- p17 = "client"
-- p18 = "SPAN_KIND_CLIENT"
-- p19 = "3"
-- p20 = "Producer"
-- p21 = "PRODUCER"
-- p22 = "producer"
-- p23 = "SPAN_KIND_PRODUCER"
-- p24 = "4"
-- p25 = "Consumer"
-- p26 = "CONSUMER"
-- p27 = "consumer"
-- p28 = "SPAN_KIND_CONSUMER"
-- p29 = "5"
