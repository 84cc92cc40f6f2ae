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
    AND ((src.`SpanKind` IN ({p8:String}, {p9:String}, {p10:String}, {p11:String}, {p12:String}, {p13:String}, {p14:String}, {p15:String}, {p16:String}, {p17:String})))
    AND ((src.`Duration` > {p18:Int64}))
    AND src.`__sampled_span` GLOBAL NOT IN (
      SELECT src.`__sampled_parent` AS called_by
      FROM `otel`.`otel_traces` AS src
      WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p19:Int64}, 'UTC')))
        AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p20:Int64}, 'UTC')))
        AND (NOT ((src.`SpanKind` IN ({p21:String}, {p22:String}, {p23:String}, {p24:String}, {p25:String}, {p26:String}, {p27:String}, {p28:String}, {p29:String}, {p30:String}))))
        AND ((src.`__sampled_parent` != 0))
    )
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
-- p8 = "Client"
-- p9 = "CLIENT"
-- p10 = "client"
-- p11 = "SPAN_KIND_CLIENT"
-- p12 = "3"
-- p13 = "Producer"
-- p14 = "PRODUCER"
-- p15 = "producer"
-- p16 = "SPAN_KIND_PRODUCER"
-- p17 = "4"
-- p18 = "5"
-- p19 = "1736942340000"
-- p20 = "1736946600000"
-- p21 = "Internal"
-- p22 = "INTERNAL"
-- p23 = "internal"
-- p24 = "SPAN_KIND_INTERNAL"
-- p25 = "1"
-- p26 = "Consumer"
-- p27 = "CONSUMER"
-- p28 = "consumer"
-- p29 = "SPAN_KIND_CONSUMER"
-- p30 = "5"
