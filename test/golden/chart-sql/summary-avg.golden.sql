SELECT ts AS ts,
  points AS n0,
  toNullable(toFloat64((total_sum / total_count))) AS v0
FROM (
  SELECT ts AS ts,
    sum(set_points) AS points,
    sum(set_count) AS total_count,
    sum(set_sum) AS total_sum
  FROM (
    SELECT ts AS ts,
      count() AS set_points,
      sum(added_count) AS set_count,
      sum(added_sum) AS set_sum
    FROM (
      SELECT ts AS ts,
        attribute_set AS attribute_set,
        at AS at,
        is_delta AS is_delta,
        is_first AS is_first,
        starts_inside AS starts_inside,
        observed AS observed,
        observed_before AS observed_before,
        amount AS amount,
        amount_before AS amount_before,
        is_whole AS is_whole,
        is_baseline AS is_baseline,
        (toFloat64(observed) - if(is_whole, 0, if(is_baseline, toFloat64(observed), toFloat64(observed_before)))) AS added_count,
        (toFloat64(amount) - if(is_whole, 0, if(is_baseline, toFloat64(amount), toFloat64(amount_before)))) AS added_sum
      FROM (
        SELECT ts AS ts,
          attribute_set AS attribute_set,
          at AS at,
          is_delta AS is_delta,
          is_first AS is_first,
          starts_inside AS starts_inside,
          observed AS observed,
          observed_before AS observed_before,
          amount AS amount,
          amount_before AS amount_before,
          (is_delta OR if(is_first, starts_inside, (observed < observed_before))) AS is_whole,
          (NOT (is_delta) AND is_first AND NOT (starts_inside)) AS is_baseline
        FROM (
          SELECT (intDiv(toUnixTimestamp64Milli(src.`TimeUnix`), 300000) * 300000) AS ts,
            cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
            toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
            (2 = 1) AS is_delta,
            (count() OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) = 1) AS is_first,
            ((toUnixTimestamp64Milli(src.`StartTimeUnix`) >= 1736942400000) AND (toUnixTimestamp64Milli(src.`StartTimeUnix`) < 1736946000000)) AS starts_inside,
            src.`Count` AS observed,
            lagInFrame(src.`Count`) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS observed_before,
            src.`Sum` AS amount,
            lagInFrame(src.`Sum`) OVER (PARTITION BY attribute_set, 2 ORDER BY src.`TimeUnix`, src.`Count` ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS amount_before
          FROM `otel`.`otel_metrics_summary` AS src
          WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p1:Int64}, 'UTC')))
            AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p2:Int64}, 'UTC')))
            AND ((src.`MetricName` = {p3:String}))
        )
        WHERE ((at >= {p4:Int64}))
      )
    )
    GROUP BY ts, attribute_set
  )
  GROUP BY ts
)
ORDER BY ts
LIMIT 100001
-- p1 = "1736941800000"
-- p2 = "1736946000000"
-- p3 = "requests"
-- p4 = "1736942400000"
