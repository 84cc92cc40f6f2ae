SELECT caller AS caller,
  callee AS callee,
  sum(weight) AS calls,
  sumIf(weight, failed) AS errors,
  toFloat64(arrayElement(quantilesExactWeightedInterpolated(0.5, 0.95, 0.99)(duration, weight), 1)) AS q0,
  toFloat64(arrayElement(quantilesExactWeightedInterpolated(0.5, 0.95, 0.99)(duration, weight), 2)) AS q1,
  toFloat64(arrayElement(quantilesExactWeightedInterpolated(0.5, 0.95, 0.99)(duration, weight), 3)) AS q2
FROM (
  SELECT cityHash64(src.`TraceId`, src.`SpanId`) AS caller_key,
    src.`ServiceName` AS caller
  FROM `otel`.`otel_traces` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
    AND (NOT ((src.`SpanKind` IN ({p3:String}, {p4:String}, {p5:String}, {p6:String}, {p7:String}))))
) AS l
INNER JOIN (
  SELECT cityHash64(src.`TraceId`, src.`ParentSpanId`) AS callee_key,
    src.`ServiceName` AS callee,
    src.`Duration` AS duration,
    (src.`StatusCode` IN ({p8:String}, {p9:String}, {p10:String}, {p11:String}, {p12:String})) AS failed,
    toUInt64(least(greatest(src.`SampleRate`, 1), 1000000000)) AS weight
  FROM `otel`.`otel_traces` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p13:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p14:Int64}, 'UTC')))
    AND ((src.`Duration` > {p15:Int64}))
    AND (NOT ((src.`SpanKind` IN ({p3:String}, {p4:String}, {p5:String}, {p6:String}, {p7:String}, {p16:String}, {p17:String}, {p18:String}, {p19:String}, {p20:String}, {p21:String}, {p22:String}, {p23:String}, {p24:String}, {p25:String}, {p26:String}, {p27:String}, {p28:String}, {p29:String}, {p30:String}))))
    AND ((src.`ParentSpanId` != ''))
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
-- p15 = "5"
-- p16 = "Client"
-- p17 = "CLIENT"
-- p18 = "client"
-- p19 = "SPAN_KIND_CLIENT"
-- p20 = "3"
-- p21 = "Producer"
-- p22 = "PRODUCER"
-- p23 = "producer"
-- p24 = "SPAN_KIND_PRODUCER"
-- p25 = "4"
-- p26 = "Consumer"
-- p27 = "CONSUMER"
-- p28 = "consumer"
-- p29 = "SPAN_KIND_CONSUMER"
-- p30 = "5"
