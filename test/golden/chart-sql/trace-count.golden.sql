SELECT (toInt64(intDiv(toUnixTimestamp(toDateTime(src.`Timestamp`)), 300)) * 300000) AS ts,
  count() AS n0,
  toNullable(toFloat64(sum(toUInt64(least(greatest(src.`SampleRate`, 1), 1000000000))))) AS v0
FROM `otel`.`otel_traces` AS src
WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
  AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
GROUP BY intDiv(toUnixTimestamp(toDateTime(src.`Timestamp`)), 300)
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400000"
-- p2 = "1736946000000"
