SELECT ts AS ts,
  g0 AS g0,
  sum(points) AS n0,
  toNullable(toFloat64(avg(nullIf(ifNotFinite(toFloat64(value), -1.7976931348623157e+308), -1.7976931348623157e+308)))) AS v0
FROM (
  SELECT (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
    any(src.`ServiceName`) AS g0,
    src.`AttributeSet` AS attribute_set,
    argMax(toFloat64(assumeNotNull(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64(src.`Value`), -1.7976931348623157e+308), -1.7976931348623157e+308)) * toFloat64(nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`Attributes`, {p1:String})), -1.7976931348623157e+308), -1.7976931348623157e+308)))), -1.7976931348623157e+308), -1.7976931348623157e+308)) + toFloat64({p2:Int64}))), -1.7976931348623157e+308), -1.7976931348623157e+308))), (bitShiftLeft(toInt128(toUnixTimestamp64Nano(src.`TimeUnix`)), 64) + (reinterpretAsInt64(abs(toFloat64(assumeNotNull(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64(src.`Value`), -1.7976931348623157e+308), -1.7976931348623157e+308)) * toFloat64(nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`Attributes`, {p1:String})), -1.7976931348623157e+308), -1.7976931348623157e+308)))), -1.7976931348623157e+308), -1.7976931348623157e+308)) + toFloat64({p2:Int64}))), -1.7976931348623157e+308), -1.7976931348623157e+308))))) * sign(toFloat64(assumeNotNull(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64(src.`Value`), -1.7976931348623157e+308), -1.7976931348623157e+308)) * toFloat64(nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`Attributes`, {p1:String})), -1.7976931348623157e+308), -1.7976931348623157e+308)))), -1.7976931348623157e+308), -1.7976931348623157e+308)) + toFloat64({p2:Int64}))), -1.7976931348623157e+308), -1.7976931348623157e+308))))))) AS value,
    count() AS points
  FROM `otel`.`otel_metrics_gauge` AS src
  WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
    AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
    AND ((src.`MetricName` = {p5:String}))
    AND ((isFinite(src.`Value`) AND isNotNull(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64(src.`Value`), -1.7976931348623157e+308), -1.7976931348623157e+308)) * toFloat64(nullIf(ifNotFinite(toFloat64OrNull(arrayElement(src.`Attributes`, {p1:String})), -1.7976931348623157e+308), -1.7976931348623157e+308)))), -1.7976931348623157e+308), -1.7976931348623157e+308)) + toFloat64({p2:Int64}))), -1.7976931348623157e+308), -1.7976931348623157e+308))))
  GROUP BY ts, attribute_set
)
GROUP BY ts, g0
ORDER BY ts, g0
LIMIT 20001
-- p1 = "share"
-- p2 = "1"
-- p3 = "1736942400000"
-- p4 = "1736946000000"
-- p5 = "requests"
