WITH (
  SELECT tuple(logarithmic, if(logarithmic, if((least <= 0), arrayPushFront(arrayMap((i) -> pow(10, ((i + first_part) / parts)), range(-1, toInt64(least(greatest(((last_part - first_part) + 3), 1), 64)))), least), arrayMap((i) -> pow(10, ((i + first_part) / parts)), range(-1, toInt64(least(greatest(((last_part - first_part) + 3), 1), 64))))), arrayMap((i) -> if((power < 0), (((i + first_multiple) * factor) / pow(10, (0 - power))), (((i + first_multiple) * factor) * pow(10, power))), range(-1, toInt64(least(greatest(((last_multiple - first_multiple) + 3), 1), 64)))))) AS scale
  FROM (
    SELECT least AS least,
      most AS most,
      logarithmic AS logarithmic,
      power AS power,
      factor AS factor,
      parts AS parts,
      highest AS highest,
      toInt64(floor((least / (factor * pow(10, power))))) AS first_multiple,
      toInt64(floor((most / (factor * pow(10, power))))) AS last_multiple,
      toInt64(floor((lowest * parts))) AS first_part,
      toInt64(floor((highest * parts))) AS last_part
    FROM (
      SELECT least AS least,
        most AS most,
        logarithmic AS logarithmic,
        power AS power,
        parts AS parts,
        lowest AS lowest,
        highest AS highest,
        if((spread <= (1 * pow(10, power))), 1, if((spread <= (2 * pow(10, power))), 2, if((spread <= (5 * pow(10, power))), 5, 10))) AS factor
      FROM (
        SELECT least AS least,
          most AS most,
          logarithmic AS logarithmic,
          spread AS spread,
          lowest AS lowest,
          highest AS highest,
          floor(log10(spread)) AS power,
          if(((highest - lowest) <= 2), 20, if(((highest - lowest) <= 4), 10, if(((highest - lowest) <= 8), 5, if(((highest - lowest) <= 20), 2, if(((highest - lowest) <= 40), 1, 0.0625))))) AS parts
        FROM (
          SELECT least AS least,
            most AS most,
            and((most > 0), (least >= 0), (most >= (20 * mean))) AS logarithmic,
            greatest(((most / 40) - (least / 40)), (greatest(abs(least), abs(most)) * 1e-12), 1e-300) AS spread,
            log10(if((smallest > 0), smallest, 1)) AS lowest,
            log10(if((most > 0), most, 1)) AS highest
          FROM (
            SELECT min(number) AS least,
              max(number) AS most,
              minIf(number, (number > 0)) AS smallest,
              avg(number) AS mean
            FROM (
              SELECT assumeNotNull(toFloat64(src.`Duration`)) AS number
              FROM `otel`.`otel_traces` AS src
              WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
                AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
                AND (isNotNull(src.`Duration`))
            )
          )
        )
      )
    )
  )
) AS value_scale
SELECT tupleElement(value_scale, 1) AS logarithmic,
  tupleElement(value_scale, 2) AS edges,
  groupArray(start) AS starts,
  groupArray(low) AS lows,
  groupArray(amount) AS amounts
FROM (
  SELECT (intDiv(toUnixTimestamp64Milli(src.`Timestamp`), 60000) * 60000) AS start,
    roundDown(assumeNotNull(toFloat64(src.`Duration`)), tupleElement(value_scale, 2)) AS low,
    toFloat64(sum(toUInt64(least(greatest(src.`SampleRate`, 1), 1000000000)))) AS amount
  FROM `otel`.`otel_traces` AS src
  WHERE ((src.`Timestamp` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
    AND ((src.`Timestamp` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
    AND (isNotNull(src.`Duration`))
  GROUP BY start, low
)
LIMIT 1
-- p1 = "1736942400000"
-- p2 = "1736946000000"
