SELECT (toInt64(any(intDiv(toUnixTimestamp(toDateTime(src.`Timestamp`)), 300))) * 300000) AS ts,
  any(src.`ServiceName`) AS g0,
  count() AS n0,
  toNullable(toFloat64(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64((toFloat64(nullIf(ifNotFinite(toFloat64(sumIf(toUInt64(least(greatest(src.`SampleRate`, 1), 1000000000)), (src.`StatusCode` = {p1:String}))), -1.7976931348623157e+308), -1.7976931348623157e+308)) / toFloat64(nullIf(ifNotFinite(toFloat64(sum(toUInt64(least(greatest(src.`SampleRate`, 1), 1000000000)))), -1.7976931348623157e+308), -1.7976931348623157e+308)))), -1.7976931348623157e+308), -1.7976931348623157e+308)) + toFloat64(nullIf(ifNotFinite(toFloat64(quantileExactWeightedInterpolated(0.9)(src.`Duration`, toUInt64(least(greatest(src.`SampleRate`, 1), 1000000000)))), -1.7976931348623157e+308), -1.7976931348623157e+308)))), -1.7976931348623157e+308), -1.7976931348623157e+308))) AS v0
FROM `otel`.`otel_traces` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
GROUP BY (cityHash64(src.`ServiceName`) + intDiv(toUnixTimestamp(toDateTime(src.`Timestamp`)), 300))
ORDER BY ts, g0
LIMIT 20001
-- p1 = "Error"
-- p2 = "1736942400000"
-- p3 = "1736946000000"
