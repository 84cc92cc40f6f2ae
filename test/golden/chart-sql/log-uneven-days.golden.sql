SELECT roundDown((toInt64(toUnixTimestamp(src.`TimestampTime`)) * 1000), {p1:Array(Int64)}) AS ts,
  src.`ServiceName` AS g0,
  count() AS n0
FROM `otel`.`otel_logs` AS src
WHERE ((src.`TimestampTime` >= toDateTime({p2:UInt32}, 'UTC')))
  AND ((src.`TimestampTime` < toDateTime({p3:UInt32}, 'UTC')))
GROUP BY ts, g0
ORDER BY ts, g0
LIMIT 20001
-- p1 = "[1736899200000,1736982000000,1737072000000,1737158400000]"
-- p2 = "1736935200"
-- p3 = "1737194400"
