SELECT ts AS ts,
  sum(gain_points) AS n0,
  toNullable(toFloat64(sum(gain))) AS v0,
  sum(needs_care) AS needs_care,
  sum(took_turns) AS took_turns
FROM (
  SELECT (intDiv(at, 300000) * 300000) AS ts,
    (reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before)) AS gain,
    1 AS gain_points,
    (reading - if((is_delta OR ((reading < reading_before) AND is_monotonic)), 0, reading_before)) AS value,
    (NOT (is_delta) AND is_restart) AS needs_care,
    (takes_turns AND is_monotonic) AS took_turns
  FROM (
    WITH (
      SELECT tuple(groupArray(own_set), groupArrayIf(own_set, reaches)) AS found
      FROM (
        SELECT own_set AS own_set,
          max(((first_point >= {p1:Int64}) AND (NOT (((first_point - stream_start) < {p2:Int64})) OR (stream_start >= first_point)))) AS reaches
        FROM (
          SELECT cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS own_set,
            toUnixTimestamp64Nano(src.`StartTimeUnix`) AS stream_start,
            min(toUnixTimestamp64Nano(src.`TimeUnix`)) AS first_point
          FROM `otel`.`otel_metrics_sum` AS src
          WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
            AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
            AND ((src.`MetricName` = {p5:String}))
            AND (isFinite(src.`Value`))
            AND (NOT ((src.`AggregationTemporality` = 1)))
          GROUP BY own_set, stream_start
        )
        GROUP BY own_set
        HAVING ((count() > 1) OR reaches)
      )
    ) AS restarts
    SELECT at AS at,
      is_delta AS is_delta,
      attribute_set AS attribute_set,
      is_monotonic AS is_monotonic,
      counts_in_full AS counts_in_full,
      reading AS reading,
      reading_before AS reading_before,
      is_restart AS is_restart,
      takes_turns AS takes_turns
    FROM (
      SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
        (src.`AggregationTemporality` = 1) AS is_delta,
        cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
        src.`IsMonotonic` AS is_monotonic,
        ((toUnixTimestamp64Nano(src.`StartTimeUnix`) < toUnixTimestamp64Nano(src.`TimeUnix`)) AND ((toUnixTimestamp64Nano(src.`TimeUnix`) - toUnixTimestamp64Nano(src.`StartTimeUnix`)) < {p2:Int64})) AS counts_in_full,
        src.`Value` AS reading,
        lagInFrame(src.`Value`, 1, if(counts_in_full, 0, reading)) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS reading_before,
        (NOT ((src.`AggregationTemporality` = 1)) AND (toUnixTimestamp64Nano(src.`StartTimeUnix`) != lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1, if(counts_in_full, toUnixTimestamp64Nano(src.`StartTimeUnix`), (toUnixTimestamp64Nano(src.`StartTimeUnix`) - 1))) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AS is_restart,
        (((lagInFrame(toFloat64(src.`Value`), 1, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Value`) >= lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((src.`AggregationTemporality` = 1))) AS takes_turns
      FROM `otel`.`otel_metrics_sum` AS src
      WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')))
        AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
        AND ((src.`MetricName` = {p5:String}))
        AND (isFinite(src.`Value`))
        AND (NOT ((cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) IN (SELECT arrayJoin(tupleElement(restarts, 1))))))
      UNION ALL
      SELECT at AS at,
        is_delta AS is_delta,
        attribute_set AS attribute_set,
        is_monotonic AS is_monotonic,
        counts_in_full AS counts_in_full,
        reading AS reading,
        if(in_stream, reading_of_stream, if(never_starts, reading_of_set, if(counts_in_full, 0, reading))) AS reading_before,
        NOT (is_delta) AS is_restart,
        takes_turns AS takes_turns
      FROM (
        SELECT at AS at,
          is_delta AS is_delta,
          attribute_set AS attribute_set,
          is_monotonic AS is_monotonic,
          reading AS reading,
          reading_of_stream AS reading_of_stream,
          reading_of_set AS reading_of_set,
          own_time AS own_time,
          own_time_of_stream AS own_time_of_stream,
          own_time_of_set AS own_time_of_set,
          own_start AS own_start,
          own_start_of_stream AS own_start_of_stream,
          own_start_of_set AS own_start_of_set,
          takes_turns AS takes_turns,
          ((own_time - own_time_of_stream) < {p6:Int64}) AS in_stream,
          ((own_time - own_time_of_set) < {p6:Int64}) AS in_set,
          (in_set AND (own_start >= own_time) AND (own_start_of_set >= own_time_of_set)) AS never_starts,
          ((own_start < own_time) AND if(in_set, (own_time_of_set <= own_start), ((own_time - own_start) < {p2:Int64}))) AS counts_in_full
        FROM (
          SELECT toUnixTimestamp64Milli(src.`TimeUnix`) AS at,
            (src.`AggregationTemporality` = 1) AS is_delta,
            cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) AS attribute_set,
            src.`IsMonotonic` AS is_monotonic,
            src.`Value` AS reading,
            lagInFrame(src.`Value`, 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality`, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS reading_of_stream,
            lagInFrame(src.`Value`, 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS reading_of_set,
            toUnixTimestamp64Nano(src.`TimeUnix`) AS own_time,
            lagInFrame(toUnixTimestamp64Nano(src.`TimeUnix`), 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality`, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS own_time_of_stream,
            lagInFrame(toUnixTimestamp64Nano(src.`TimeUnix`), 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS own_time_of_set,
            toUnixTimestamp64Nano(src.`StartTimeUnix`) AS own_start,
            lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality`, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS own_start_of_stream,
            lagInFrame(toUnixTimestamp64Nano(src.`StartTimeUnix`), 1) OVER (PARTITION BY attribute_set, src.`AggregationTemporality` ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS own_start_of_set,
            (((lagInFrame(toFloat64(src.`Value`), 1, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality`, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) < lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality`, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW)) AND (toFloat64(src.`Value`) >= lagInFrame(toFloat64(src.`Value`), 2, inf) OVER (PARTITION BY attribute_set, src.`AggregationTemporality`, toUnixTimestamp64Nano(src.`StartTimeUnix`) ORDER BY src.`TimeUnix`, src.`Value` ROWS BETWEEN 2 PRECEDING AND CURRENT ROW))) AND NOT ((src.`AggregationTemporality` = 1))) AS takes_turns
          FROM `otel`.`otel_metrics_sum` AS src
          WHERE ((src.`TimeUnix` >= fromUnixTimestamp64Milli({p7:Int64}, 'UTC')))
            AND ((src.`TimeUnix` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC')))
            AND ((src.`MetricName` = {p5:String}))
            AND (notEmpty(tupleElement(restarts, 1)))
            AND ((cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) IN (SELECT arrayJoin(tupleElement(restarts, 1)))))
            AND ((((src.`TimeUnix` >= fromUnixTimestamp64Milli({p3:Int64}, 'UTC')) AND (src.`TimeUnix` < fromUnixTimestamp64Milli({p4:Int64}, 'UTC'))) OR (notEmpty(tupleElement(restarts, 2)) AND (cityHash64(src.`ServiceName`, src.`ScopeName`, mapSort(src.`Attributes`), mapSort(src.`ResourceAttributes`), mapSort(src.`ScopeAttributes`)) IN (SELECT arrayJoin(tupleElement(restarts, 2)))))))
            AND (isFinite(src.`Value`))
        )
      )
    )
  )
  WHERE ((at >= {p8:Int64}))
)
GROUP BY ts
ORDER BY ts
LIMIT 100001
-- p1 = "1736942400000000000"
-- p2 = "600000000000"
-- p3 = "1736941800000"
-- p4 = "1736946000000"
-- p5 = "requests"
-- p6 = "86400000000000"
-- p7 = "1736856000000"
-- p8 = "1736942400000"
