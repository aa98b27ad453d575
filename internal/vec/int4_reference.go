package vec

func dotsI4AtGo(dst []int32, q []int8, rows []uint8, ids []uint32) {
	half := len(q) / 2
	for i, id := range ids {
		row := rows[int(id)*half:][:half]
		var sum int32
		for j, b := range row {
			sum += int32(q[j])*int32(b&15) + int32(q[half+j])*int32(b>>4)
		}
		dst[i] = sum
	}
}
