SELECT ts AS ts,
  arrayFilter((place, holds) -> holds, arrayEnumerate(atoms), atoms) AS held,
  arrayFilter((place, holds) -> isNull(holds), arrayEnumerate(atoms), atoms) AS unknown,
  n AS n
FROM (
  SELECT (intDiv((toInt64(toUnixTimestamp(src.`TimestampTime`)) * 1000), 300000) * 300000) AS ts,
    [(positionCaseInsensitive(arrayElement(src.`LogAttributes`, {p1:String}), {p2:String}) > 0), (positionCaseInsensitive(arrayElement(src.`LogAttributes`, {p1:String}), {p3:String}) > 0), (positionCaseInsensitive(arrayElement(src.`LogAttributes`, {p1:String}), {p4:String}) > 0), (positionCaseInsensitive(arrayElement(src.`LogAttributes`, {p1:String}), {p5:String}) > 0), (positionCaseInsensitive(arrayElement(src.`LogAttributes`, {p1:String}), {p6:String}) > 0), (positionCaseInsensitive(arrayElement(src.`LogAttributes`, {p1:String}), {p7:String}) > 0), (positionCaseInsensitive(arrayElement(src.`LogAttributes`, {p1:String}), {p8:String}) > 0), (positionCaseInsensitive(arrayElement(src.`LogAttributes`, {p1:String}), {p9:String}) > 0), (positionCaseInsensitive(arrayElement(src.`LogAttributes`, {p1:String}), {p10:String}) > 0)] AS atoms,
    count() AS n
  FROM `otel`.`otel_logs` AS src
  WHERE ((src.`TimestampTime` >= toDateTime({p11:UInt32}, 'UTC')))
    AND ((src.`TimestampTime` < toDateTime({p12:UInt32}, 'UTC')))
  GROUP BY ts, atoms
)
ORDER BY ts
LIMIT 50001
-- p1 = "n"
-- p2 = "0"
-- p3 = "1"
-- p4 = "2"
-- p5 = "3"
-- p6 = "4"
-- p7 = "5"
-- p8 = "6"
-- p9 = "7"
-- p10 = "8"
-- p11 = "1736942400"
-- p12 = "1736942700"
