SELECT src.`Timestamp` AS c0,
  src.`Body` AS c1
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p1:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p2:UInt32}, 'UTC')))
  AND (((src.`Body` ILIKE {p3:String}) AND ifNull((nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`LogAttributes`, {p4:String})), -1.7976931348623157e+308), -1.7976931348623157e+308) > {p5:Int64}), 0)))
ORDER BY src.`Timestamp` DESC, c0, c1
LIMIT 100 OFFSET 0
-- p1 = "1736942400"
-- p2 = "1736946000"
-- p3 = "%refused%"
-- p4 = "n"
-- p5 = "5"
