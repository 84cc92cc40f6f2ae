SELECT src.`Timestamp` AS c0,
  src.`SpanName` AS c1,
  toString(src.`Duration`) AS c2,
  round(nullIf(ifNotFinite(toFloat64((toFloat64(src.`Duration`) / toFloat64(nullIf(ifNotFinite(toFloat64({p1:Float64}), -1.7976931348623157e+308), -1.7976931348623157e+308)))), -1.7976931348623157e+308), -1.7976931348623157e+308)) AS c3
FROM `otel`.`otel_traces` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
ORDER BY src.`Timestamp` DESC, c0, c1, c2, c3
LIMIT 100 OFFSET 0
-- p1 = "1000000"
-- p2 = "1736942400000"
-- p3 = "1736946000000"
